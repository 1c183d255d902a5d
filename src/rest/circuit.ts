import { RestCircuitOpenError, RestError } from './errors.js';
import { FailureRate } from './failure-rate.js';
import type { RestCall } from './rest-call.js';

/** `open` once the API has failed too often; `half-open` while one call finds out whether it is back. */
export type CircuitBreakerState = 'closed' | 'open' | 'half-open';

export interface CircuitOptions {
  /** How long the circuit stays open before one call is let through, in ms. */
  readonly circuitOpenMs: number;
  readonly onCircuitChange: (state: CircuitBreakerState) => void;
}

/** The circuit breaker. The call that probes either closes the circuit or opens it again. */
export class Circuit {
  readonly #options: CircuitOptions;
  readonly #rate = new FailureRate();
  #state: CircuitBreakerState = 'closed';
  /** Times that the circuit has opened. */
  #openings = 0;
  /** Time of the next probe while the circuit is open, by `performance.now()`, which nobody can set back. */
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
   * @returns ticket to pass to `end`
   * @throws RestCircuitOpenError like `check`
   */
  begin(call: RestCall): number {
    this.check(call);
    if (this.#state === 'open') this.#change('half-open');
    return this.#openings;
  }

  /**
   * Counts the end of a call. A call that began before the circuit last opened no longer counts.
   *
   * @param ticket from `begin`
   * @param error the call's error; `undefined` when the call succeeded
   */
  end(ticket: number, error: unknown): void {
    if (ticket !== this.#openings) return;
    const isFailure = error instanceof RestError && error.meaning.opensCircuit;
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
