import { Bulkhead } from './bulkhead.js';
import { Circuit, type CircuitBreakerState, type CircuitOptions } from './circuit.js';
import { RestError } from './errors.js';
import { startAttempt } from './operation.js';
import type { JsonObject, RestAttempt, RestCall } from './rest-call.js';
import { RETRY_RESERVE_MS, Retries } from './retries.js';

export interface ResilienceOptions extends CircuitOptions {
  /** Maximum time of a call, from joining the queue to the last byte of the last attempt. */
  readonly deadlineMs: number;
  /** Maximum number of calls under way. */
  readonly maxCalls: number;
  /** Maximum number of calls that wait in the queue. */
  readonly maxQueue: number;
}

/** Minimum share of the deadline to start an attempt with. With less, most writes would time out as `UNKNOWN`. */
const MIN_DEADLINE_SHARE = 0.1;

export interface Resilience {
  /**
   * Runs a call through bulkhead, circuit breaker and retries. Retries a call only if a retry is safe.
   *
   * @param attempt sends the request once, and adds the attempt to `attempts`; must settle within `leftMs`
   * @throws RestError when the call is refused, times out, or fails and cannot be retried
   */
  run(
    call: RestCall,
    attempt: (leftMs: number, attempts: RestAttempt[]) => Promise<JsonObject>,
  ): Promise<JsonObject>;
  readonly circuit: CircuitBreakerState;
  /** Number of calls under way. */
  readonly running: number;
  /** Number of calls that wait in the queue. */
  readonly queued: number;
}

/** @param isOpen returns whether the client can still send */
export function createResilience(options: ResilienceOptions, isOpen: () => boolean): Resilience {
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
        leftMs() - pauseMs >= deadlineMs * MIN_DEADLINE_SHARE;
      // Checked here as well as in `begin`, so that calls fail fast instead of queueing behind the probe.
      circuit.check(call);
      if (bulkhead.isFull) throw new RestError('overloaded', call);
      const entry = bulkhead.enter(leftMs());
      const isLate = entry && !(await entry);
      if (isLate) throw new RestError('timeoutBeforeSending', call, { deadlineMs });
      try {
        if (!isTimeAfter(0)) throw new RestError('timeoutBeforeSending', call, { deadlineMs });
        const ticket = circuit.begin(call);
        let retries: Retries | undefined;
        let failure: unknown;
        try {
          for (;;) {
            const entry = startAttempt(call);
            try {
              const answer = await attempt(leftMs(), entry.attempts);
              entry.succeed(call, answer);
              return answer;
            } catch (error) {
              entry.fail(error);
              // Retries only while the circuit is closed, because retries make it harder for a failing API to recover.
              retries ??= new Retries(
                () => isOpen() && circuit.state === 'closed' && isTimeAfter(RETRY_RESERVE_MS),
              );
              await retries.waitAfter(error);
            }
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
