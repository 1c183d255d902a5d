import { Circuit, type CircuitBreakerState, type CircuitOptions } from './circuit.js';
import { RestOverloadedError, RestTimeoutError } from './errors.js';
import { RETRY_RESERVE_MS, Retries } from './retries.js';
import type { JsonObject, RestCall } from './rest-call.js';
import { Bulkhead } from './bulkhead.js';

export interface ResilienceOptions extends CircuitOptions {
  /** From the queue to the last byte of the last attempt, in ms. */
  readonly deadlineMs: number;
  /** Calls under way at once. */
  readonly maxCalls: number;
  /** Calls that may wait for one of them to end. */
  readonly maxQueue: number;
}

/** With less than this of its deadline left, a call would end `UNKNOWN` more often than not: it is not begun. */
const LEAST_SHARE = 0.1;

export interface Resilience {
  /**
   * Makes a call in its turn, unless the circuit is open, and again where that is safe.
   *
   * @param attempt makes the call once, and ends within the given number of ms
   * @throws RestError
   */
  run(call: RestCall, attempt: (leftMs: number) => Promise<JsonObject>): Promise<JsonObject>;
  readonly circuit: CircuitBreakerState;
  /** Calls under way. */
  readonly running: number;
  /** Calls that wait for one of those to end. */
  readonly queued: number;
}

export function createResilience(options: ResilienceOptions): Resilience {
  const { deadlineMs, maxCalls, maxQueue } = options;
  const turns = new Bulkhead(maxCalls, maxQueue);
  const circuit = new Circuit(options);

  return {
    get circuit() {
      return circuit.state;
    },
    get running() {
      return turns.running;
    },
    get queued() {
      return turns.queued;
    },
    async run(call, attempt) {
      const deadlineAt = call.deadlineAt ?? performance.now() + deadlineMs;
      const leftMs = (): number => deadlineAt - performance.now();
      const isTimeAfter = (pauseMs: number): boolean =>
        leftMs() - pauseMs >= deadlineMs * LEAST_SHARE;
      // An API that is failing is not to be asked more often than it has to.
      const mayRetry = (): boolean => circuit.state === 'closed' && isTimeAfter(RETRY_RESERVE_MS);

      // Here as well as in its turn: while one call probes, the others are not to queue behind it.
      circuit.check(call);
      if (turns.isFull) throw new RestOverloadedError(call);
      const turn = turns.begin(leftMs());
      if (turn && !(await turn)) throw new RestTimeoutError(call, deadlineMs, 'NOT_SENT');
      try {
        if (!isTimeAfter(0)) throw new RestTimeoutError(call, deadlineMs, 'NOT_SENT');
        const begun = circuit.begin(call);
        const repeats = new Retries(mayRetry);
        let failure: unknown;
        try {
          for (;;)
            try {
              return await attempt(leftMs());
            } catch (error) {
              await repeats.follow(error);
            }
        } catch (error) {
          failure = error;
          throw error;
        } finally {
          circuit.end(begun, failure);
        }
      } finally {
        turns.end();
      }
    },
  };
}
