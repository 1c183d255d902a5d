import {
  RestCircuitOpenError,
  RestConnectionLostError,
  RestCutAnswerError,
  RestStatusError,
  RestTimeoutError,
  RestUnreachableError,
} from './errors.js';
import { FailureRate } from './failure-rate.js';
import type { RestCall } from './rest-call.js';

/** `open` once the API has failed too often; `half-open` while one call finds out whether it is back. */
export type CircuitBreakerState = 'closed' | 'open' | 'half-open';

export interface CircuitOptions {
  /** How long the circuit stays open before one call is let through, in ms. */
  readonly circuitOpenMs: number;
  readonly onCircuitChange: (state: CircuitBreakerState) => void;
}

/** The circuit breaker. The call that probes either closes it or opens it again. */
export class Circuit {
  readonly #options: CircuitOptions;
  readonly #rate = new FailureRate();
  #state: CircuitBreakerState = 'closed';
  /** While it is open: when the next call is let through, in ms since 1970. */
  #probeAt = 0;

  constructor(options: CircuitOptions) {
    this.#options = options;
  }

  get state(): CircuitBreakerState {
    return this.#state;
  }

  /** @throws RestCircuitOpenError when the call cannot be let through now */
  check(call: RestCall): void {
    if (this.#state === 'closed') return;
    const leftMs = this.#probeAt - Date.now();
    if (this.#state === 'half-open' || leftMs > 0)
      throw new RestCircuitOpenError(call, Math.max(Math.ceil(leftMs / 1000), 1));
  }

  /**
   * Lets a call through, whose end is to be told.
   *
   * @returns whether it is the one that finds out whether the API is back
   * @throws RestCircuitOpenError like `check`
   */
  begin(call: RestCall): boolean {
    this.check(call);
    if (this.#state === 'closed') return false;
    this.#change('half-open');
    return true;
  }

  /** @param error what the call has failed with; `undefined` when it has not */
  end(isProbe: boolean, error: unknown): void {
    const isFailure = isFailureOfApi(error);
    if (isProbe && !isFailure) {
      this.#rate.forget();
      this.#change('closed');
    }
    // Of a call that began before the circuit opened, the end is late news.
    if (this.#state === 'closed') this.#rate.count(isFailure);
    if (isProbe ? isFailure : this.#state === 'closed' && isFailure && this.#rate.isTooHigh) {
      this.#probeAt = Date.now() + this.#options.circuitOpenMs;
      this.#change('open');
    }
  }

  #change(state: CircuitBreakerState): void {
    this.#state = state;
    this.#options.onCircuitChange(state);
  }
}

/** No connection, a broken one, no answer in time, and 5xx. A 4xx, or an answer that cannot be read, is sound. */
function isFailureOfApi(error: unknown): boolean {
  return (
    error instanceof RestUnreachableError ||
    error instanceof RestConnectionLostError ||
    error instanceof RestCutAnswerError ||
    error instanceof RestTimeoutError ||
    (error instanceof RestStatusError && error.status >= 500)
  );
}
