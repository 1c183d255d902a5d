import { CircuitState, type IBreaker } from 'cockatiel';

const SAMPLE_SECONDS = 10;
const MIN_CALLS = 20;
const FAILURE_SHARE = 0.5;

/**
 * When the circuit opens: half of the calls of the last 10 s have failed, and there were 20 of them or more.
 * cockatiel's own SamplingBreaker keeps what it counted before a quiet time, so that a failure of today can
 * be added to those of yesterday.
 */
export class FailureRate implements IBreaker {
  /** Asked for by the interface, to be saved and restored: it is neither. */
  state: unknown;
  #seconds: { readonly second: number; calls: number; failures: number }[] = [];

  success(state: CircuitState): void {
    // The call that closes the circuit again.
    if (state === CircuitState.HalfOpen) this.#seconds = [];
    this.#count(0);
  }

  failure(): boolean {
    this.#count(1);
    const calls = this.#seconds.reduce((sum, second) => sum + second.calls, 0);
    const failures = this.#seconds.reduce((sum, second) => sum + second.failures, 0);
    return calls >= MIN_CALLS && failures >= calls * FAILURE_SHARE;
  }

  #count(failures: 0 | 1): void {
    const second = Math.floor(Date.now() / 1000);
    let last = this.#seconds.at(-1);
    if (last?.second !== second) {
      last = { second, calls: 0, failures: 0 };
      const oldest = second - SAMPLE_SECONDS + 1;
      // Neither those that are too old, nor those of a clock that has been set back.
      this.#seconds = this.#seconds.filter((it) => it.second >= oldest && it.second < second);
      this.#seconds.push(last);
    }
    last.calls += 1;
    last.failures += failures;
  }
}
