import {
  BrokenCircuitError,
  BulkheadRejectedError,
  CircuitState,
  ExponentialBackoff,
  SamplingBreaker,
  bulkhead,
  circuitBreaker,
  handleType,
  handleWhen,
  retry,
} from 'cockatiel';
import {
  RestCircuitOpenError,
  RestConnectionLostError,
  RestCutAnswerError,
  RestError,
  RestOverloadedError,
  RestStatusError,
  RestTimeoutError,
  RestUnreachableError,
} from './errors.js';
import type { JsonObject, RestCall } from './rest-call.js';

export type CircuitBreakerState = 'closed' | 'open' | 'half-open';

export interface ResilienceOptions {
  /** From the first attempt's queueing to the last byte of the last attempt, in ms. */
  readonly deadlineMs: number;
  /** Calls under way at once. */
  readonly maxCalls: number;
  /** Calls that may wait for one of them to end. */
  readonly maxQueue: number;
  /** How long the circuit stays open before one call is let through, in ms. */
  readonly circuitOpenMs: number;
  readonly onCircuitChange: (state: CircuitBreakerState) => void;
}

/** How often a call is repeated at most. */
const MAX_RETRIES = 2;
const FIRST_RETRY_MS = 50;
const LONGEST_RETRY_MS = 400;
/** The circuit opens when half of the calls of the last 10 s have failed, and there were 20 of them. */
const SAMPLE_MS = 10_000;
const FAILURE_SHARE = 0.5;
const MIN_CALLS = 20;

const circuitStates: Record<CircuitState, CircuitBreakerState> = {
  [CircuitState.Closed]: 'closed',
  [CircuitState.Open]: 'open',
  [CircuitState.HalfOpen]: 'half-open',
  [CircuitState.Isolated]: 'open',
};

export interface Resilience {
  /**
   * Runs a call: in its turn, unless the circuit is open, and again where that is safe.
   *
   * @param attempt makes the call once, within the given number of ms
   */
  run(call: RestCall, attempt: (leftMs: number) => Promise<JsonObject>): Promise<JsonObject>;
  readonly circuit: CircuitBreakerState;
}

/** A failure after which the same call may be made again. It never leaves this file. */
class RepeatableFailure extends Error {
  constructor(readonly origin: RestError) {
    super(origin.message, { cause: origin });
  }
}

export function createResilience(options: ResilienceOptions): Resilience {
  const { deadlineMs, maxCalls, maxQueue, circuitOpenMs } = options;
  const turns = bulkhead(maxCalls, maxQueue);
  const repeats = retry(handleType(RepeatableFailure), {
    maxAttempts: MAX_RETRIES,
    backoff: new ExponentialBackoff({ initialDelay: FIRST_RETRY_MS, maxDelay: LONGEST_RETRY_MS }),
  });
  const breaker = circuitBreaker(handleWhen(isFailureOfApi), {
    halfOpenAfter: circuitOpenMs,
    breaker: new SamplingBreaker({
      threshold: FAILURE_SHARE,
      duration: SAMPLE_MS,
      minimumRps: MIN_CALLS / (SAMPLE_MS / 1000),
    }),
  });
  breaker.onStateChange((state) => options.onCircuitChange(circuitStates[state]));

  return {
    get circuit() {
      return circuitStates[breaker.state];
    },
    run(call, attempt) {
      const deadlineAt = performance.now() + deadlineMs;

      const tryOnce = async (): Promise<JsonObject> => {
        const leftMs = deadlineAt - performance.now();
        if (leftMs <= 0) throw new RestTimeoutError(call, deadlineMs, 'NOT_SENT');
        try {
          return await attempt(leftMs);
        } catch (error) {
          const isInTime = deadlineAt - performance.now() > LONGEST_RETRY_MS;
          throw error instanceof RestError && isRepeatable(error) && isInTime
            ? new RepeatableFailure(error)
            : error;
        }
      };
      const runGuarded = async (): Promise<JsonObject> => {
        // cockatiel would let the call wait for the end of the one that probes.
        if (breaker.state === CircuitState.HalfOpen) throw toOpenError(call, circuitOpenMs);
        // A 4xx is a sound answer: to the breaker it is handed over as a value.
        const result = await breaker.execute(() => repeats.execute(tryOnce).catch(toSoundAnswer));
        if (result instanceof RestError) throw result;
        return result;
      };

      return takeTurn(runGuarded).catch((error: unknown) => {
        if (error instanceof BulkheadRejectedError) throw new RestOverloadedError(call);
        if (error instanceof BrokenCircuitError) throw toOpenError(call, circuitOpenMs);
        throw error;
      });

      function takeTurn(run: () => Promise<JsonObject>): Promise<JsonObject> {
        if (turns.executionSlots > 0) return turns.execute(run);
        return new Promise((resolve, reject) => {
          const expired = new RestTimeoutError(call, deadlineMs, 'NOT_SENT');
          let isExpired = false;
          const deadline = setTimeout(() => {
            isExpired = true;
            reject(expired);
          }, deadlineMs);
          const runInTurn = async (): Promise<JsonObject> => {
            clearTimeout(deadline);
            // Its caller has been told already that it was not sent.
            if (isExpired) throw expired;
            return run();
          };
          turns
            .execute(runInTurn)
            .then(resolve, reject)
            .finally(() => clearTimeout(deadline));
        });
      }
    },
  };
}

function toOpenError(call: RestCall, openMs: number): RestCircuitOpenError {
  return new RestCircuitOpenError(call, Math.ceil(openMs / 1000));
}

/**
 * A write only when no connection was made: nothing of it can have arrived. A read also when the connection
 * broke or something on the way says that the API is not there, as it does nothing that could be done twice.
 */
function isRepeatable(error: RestError): boolean {
  if (error instanceof RestUnreachableError) return true;
  if (error.method !== 'GET') return false;
  if (error instanceof RestStatusError) return [502, 503, 504].includes(error.status);
  return error instanceof RestConnectionLostError || error instanceof RestCutAnswerError;
}

function toSoundAnswer(error: unknown): RestError {
  const failure = error instanceof RepeatableFailure ? error.origin : error;
  if (failure instanceof RestError && !isFailureOfApi(failure)) return failure;
  throw failure;
}

/** What the breaker counts: no connection, a broken one, no answer in time, and 5xx. */
function isFailureOfApi(error: unknown): boolean {
  return (
    error instanceof RestUnreachableError ||
    error instanceof RestConnectionLostError ||
    error instanceof RestCutAnswerError ||
    error instanceof RestTimeoutError ||
    (error instanceof RestStatusError && error.status >= 500)
  );
}
