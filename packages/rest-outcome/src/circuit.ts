import type { Entry } from './ledger.js';
import { RestError } from './rest-error.js';

/** `open` after too many failed calls; `half-open` while a single call, the probe, tests whether the API is back. */
export type CircuitBreakerState = 'closed' | 'open' | 'half-open';

export interface CircuitOptions {
  /** Time that the circuit stays open before it lets a probe through, in ms. Default: 5 s. */
  readonly circuitOpenMs?: number | undefined;
  readonly onCircuitChange?: ((state: CircuitBreakerState) => void) | undefined;
}

/** Long enough for an API to recover a little, short enough that nobody waits long for an API that is back. */
const CIRCUIT_OPEN_MS = 5_000;

/**
 * The circuit opens when there were 20 calls or more in the last 10 s, and half of them or more failed in a way that says
 * that the API is away: no connection, a lost connection, a timeout, or 502 to 504. Any other 5xx may be due to one request.
 */
const SAMPLE_SECONDS = 10;
const MIN_CALLS = 20;
const FAILURE_SHARE = 0.5;

/** The circuit breaker. A probe that succeeds closes the circuit; a probe that fails opens it again. */
export class Circuit {
  /** Results of the calls of each second. */
  #seconds: { readonly second: number; calls: number; failures: number }[] = [];
  /** Earliest time of the next probe, by `performance.now()`, which is monotonic. */
  #probeAt = 0;
  #state: CircuitBreakerState = 'closed';
  /** Number of times that the circuit has opened. Serves as the ticket of a call. */
  #openings = 0;

  constructor(private readonly options: CircuitOptions) {}

  get state(): CircuitBreakerState {
    return this.#state;
  }

  /**
   * Refuses a call that `begin` would refuse now.
   *
   * @throws RestError `circuitOpen` while the circuit is open and no probe is due, and while a probe is under way
   */
  check(entry: Entry): void {
    if (this.#state === 'closed') return;
    const leftMs = this.#probeAt - performance.now();
    if (this.#state === 'half-open' || leftMs > 0)
      throw new RestError('circuitOpen', entry, {
        retryAfterSeconds: Math.max(Math.ceil(leftMs / 1000), 1),
      });
  }

  /**
   * Lets a call through, as the probe if the circuit has been open for `circuitOpenMs`.
   *
   * @returns ticket to pass to `end`
   * @throws RestError under the same conditions as `check`
   */
  begin(entry: Entry): number {
    this.check(entry);
    if (this.#state === 'open') this.#change('half-open');
    return this.#openings;
  }

  /**
   * Records the result of a call. Ignores a call that began before the circuit last opened.
   *
   * @param ticket from `begin`
   * @param error the call's error; `undefined` when the call succeeded
   */
  end(ticket: number, error: unknown): void {
    if (ticket !== this.#openings) return;
    const isProbe = this.#state === 'half-open';
    const isFailure = error instanceof RestError ? error.meaning.opensCircuit : error !== undefined;
    if (isProbe && !isFailure) {
      this.#seconds = [];
      this.#change('closed');
    }
    const now = performance.now();
    const second = Math.floor(now / 1000);
    if (this.#seconds.at(-1)?.second !== second) {
      this.#seconds = this.#seconds.filter((it) => it.second > second - SAMPLE_SECONDS);
      this.#seconds.push({ second, calls: 0, failures: 0 });
    }
    const current = this.#seconds.at(-1)!;
    current.calls += 1;
    if (!isFailure) return;
    current.failures += 1;
    const sum = (name: 'calls' | 'failures'): number =>
      this.#seconds.reduce((total, it) => total + it[name], 0);
    const isFailing = sum('calls') >= MIN_CALLS && sum('failures') >= sum('calls') * FAILURE_SHARE;
    if (isProbe || isFailing) {
      this.#openings += 1;
      this.#probeAt = now + (this.options.circuitOpenMs ?? CIRCUIT_OPEN_MS);
      this.#change('open');
    }
  }

  #change(state: CircuitBreakerState): void {
    this.#state = state;
    this.options.onCircuitChange?.(state);
  }
}
