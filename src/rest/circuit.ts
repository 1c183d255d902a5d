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
  /** How often it has opened. */
  #openings = 0;
  /** While it is open: when the next call is let through, by `performance.now()`, which nobody can set back. */
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
    const leftMs = this.#probeAt - performance.now();
    if (this.#state === 'half-open' || leftMs > 0)
      throw new RestCircuitOpenError(call, Math.max(Math.ceil(leftMs / 1000), 1));
  }

  /**
   * Lets a call through.
   *
   * @returns what its end is to be told with
   * @throws RestCircuitOpenError like `check`
   */
  begin(call: RestCall): number {
    this.check(call);
    if (this.#state === 'open') this.#change('half-open');
    return this.#openings;
  }

  /**
   * @param begun what `begin` has returned
   * @param error what the call has failed with; `undefined` when it has not
   */
  end(begun: number, error: unknown): void {
    // Of a call that began before the circuit opened, the end is late news, even once it has closed again.
    if (begun !== this.#openings) return;
    const isFailure = isFailureOfApi(error);
    const isProbe = this.#state === 'half-open';
    if (isProbe && !isFailure) {
      this.#rate.forget();
      this.#change('closed');
    }
    this.#rate.count(isFailure);
    if (isFailure && (isProbe || this.#rate.isTooHigh)) {
      this.#openings += 1;
      this.#probeAt = performance.now() + this.#options.circuitOpenMs;
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
