import { Bulkhead } from './bulkhead.js';
import { Circuit, type CircuitBreakerState, type CircuitOptions } from './circuit.js';
import { RestOverloadedError, RestTimeoutError } from './errors.js';
import type { JsonObject, RestCall } from './rest-call.js';
import { RETRY_RESERVE_MS, Retries } from './retries.js';

export interface ResilienceOptions extends CircuitOptions {
  /** Time from the queue to the last byte of the last attempt. */
  readonly deadlineMs: number;
  /** Calls under way at once. */
  readonly maxCalls: number;
  /** Calls that may wait for one of them to end. */
  readonly maxQueue: number;
}

/** Least share of the deadline with which a call is sent: with less, most calls would end `UNKNOWN`. */
const LEAST_SHARE = 0.1;

export interface Resilience {
  /**
   * Makes a call once the bulkhead admits it and unless the circuit is open, and retries it where that is safe.
   *
   * @param attempt makes the call once, and ends within `leftMs`
   * @throws RestError
   */
  run(call: RestCall, attempt: (leftMs: number) => Promise<JsonObject>): Promise<JsonObject>;
  readonly circuit: CircuitBreakerState;
  /** Calls under way. */
  readonly running: number;
  /** Calls that wait until one under way ends. */
  readonly queued: number;
}

export function createResilience(options: ResilienceOptions): Resilience {
  const { deadlineMs, maxCalls, maxQueue } = options;
  const bulkhead = new Bulkhead(maxCalls, maxQueue);
  const circuit = new Circuit(options);

  return {
    get circuit() {
      return circuit.state;
    },
    get running() {
      return bulkhead.running;
    },
    get queued() {
      return bulkhead.queued;
    },
    async run(call, attempt) {
      const deadlineAt = call.deadlineAt ?? performance.now() + deadlineMs;
      const leftMs = (): number => deadlineAt - performance.now();
      const isTimeAfter = (pauseMs: number): boolean =>
        leftMs() - pauseMs >= deadlineMs * LEAST_SHARE;
      // Retries would make it harder for a failing API to recover.
      const mayRetry = (): boolean => circuit.state === 'closed' && isTimeAfter(RETRY_RESERVE_MS);

      // Also checked here, so calls fail fast instead of queueing behind the probe.
      circuit.check(call);
      if (bulkhead.isFull) throw new RestOverloadedError(call);
      const entry = bulkhead.enter(leftMs());
      if (entry && !(await entry)) throw new RestTimeoutError(call, deadlineMs, 'NOT_SENT');
      try {
        if (!isTimeAfter(0)) throw new RestTimeoutError(call, deadlineMs, 'NOT_SENT');
        const ticket = circuit.begin(call);
        const retries = new Retries(mayRetry);
        let failure: unknown;
        try {
          for (;;)
            try {
              return await attempt(leftMs());
            } catch (error) {
              await retries.waitAfter(error);
            }
        } catch (error) {
          failure = error;
          throw error;
        } finally {
          circuit.end(ticket, failure);
        }
      } finally {
        bulkhead.leave();
      }
    },
  };
}
