import { CircuitState, circuitBreaker, handleWhenResult } from 'cockatiel';
import {
  RestCircuitOpenError,
  RestConnectionLostError,
  RestCutAnswerError,
  RestError,
  RestStatusError,
  RestTimeoutError,
  RestUnreachableError,
} from './errors.js';
import { FailureRate } from './failure-rate.js';
import type { JsonObject, RestCall } from './rest-call.js';

export type CircuitBreakerState = 'closed' | 'open' | 'half-open';

export interface CircuitOptions {
  /** How long the circuit stays open before one call is let through, in ms. */
  readonly circuitOpenMs: number;
  readonly onCircuitChange: (state: CircuitBreakerState) => void;
}

const states: Record<CircuitState, CircuitBreakerState> = {
  [CircuitState.Closed]: 'closed',
  [CircuitState.Open]: 'open',
  [CircuitState.HalfOpen]: 'half-open',
  [CircuitState.Isolated]: 'open',
};

/**
 * The circuit breaker. `open` once the API has failed too often, `half-open` while one call finds out whether
 * it is back, which either closes it or opens it again.
 */
export interface Circuit {
  readonly state: CircuitBreakerState;
  /** @throws RestCircuitOpenError when the call cannot be let through now */
  check(call: RestCall): void;
  /**
   * Makes the call and counts how it ends.
   *
   * @throws RestCircuitOpenError like `check`
   */
  run(call: RestCall, send: () => Promise<JsonObject>): Promise<JsonObject>;
}

export function createCircuit({ circuitOpenMs, onCircuitChange }: CircuitOptions): Circuit {
  const breaker = circuitBreaker(handleWhenResult(isFailureOfApi), {
    halfOpenAfter: circuitOpenMs,
    breaker: new FailureRate(),
  });
  /** While the circuit is open: when the next call is let through, in ms since 1970. */
  let probeAt = 0;
  breaker.onStateChange((state) => {
    if (state === CircuitState.Open) probeAt = Date.now() + circuitOpenMs;
    onCircuitChange(states[state]);
  });

  // cockatiel would let a call wait for the end of the one that probes, and keeps the time that is left to itself.
  function check(call: RestCall): void {
    if (breaker.state === CircuitState.Closed) return;
    const leftMs = probeAt - Date.now();
    if (breaker.state === CircuitState.HalfOpen || leftMs > 0)
      throw new RestCircuitOpenError(call, Math.max(Math.ceil(leftMs / 1000), 1));
  }

  return {
    get state() {
      return states[breaker.state];
    },
    check,
    async run(call, send) {
      check(call);
      // Failures are handed over as values: one that is thrown and not the API's would not be counted as sound.
      const result = await breaker.execute(() => send().catch(toResult));
      if (result instanceof RestError) throw result;
      return result;
    },
  };
}

function toResult(error: unknown): RestError {
  if (error instanceof RestError) return error;
  throw error;
}

/** No connection, a broken one, no answer in time, and 5xx. A 4xx, or an answer that cannot be read, is sound. */
function isFailureOfApi(result: unknown): boolean {
  return (
    result instanceof RestUnreachableError ||
    result instanceof RestConnectionLostError ||
    result instanceof RestCutAnswerError ||
    result instanceof RestTimeoutError ||
    (result instanceof RestStatusError && result.status >= 500)
  );
}
