const SAMPLE_SECONDS = 10;
const MIN_CALLS = 20;
const FAILURE_SHARE = 0.5;

/**
 * Share of failed calls in the last 10 s. Too high when there were 20 calls or more, and half of them or more failed.
 */
export class FailureRate {
  #seconds: { readonly second: number; calls: number; failures: number }[] = [];

  get isTooHigh(): boolean {
    let calls = 0;
    let failures = 0;
    for (const second of this.#seconds) {
      calls += second.calls;
      failures += second.failures;
    }
    return calls >= MIN_CALLS && failures >= calls * FAILURE_SHARE;
  }

  count(isFailure: boolean): void {
    const second = Math.floor(performance.now() / 1000);
    let last = this.#seconds.at(-1);
    if (last?.second !== second) {
      last = { second, calls: 0, failures: 0 };
      const oldest = second - SAMPLE_SECONDS + 1;
      this.#seconds = this.#seconds.filter((it) => it.second >= oldest);
      this.#seconds.push(last);
    }
    last.calls += 1;
    if (isFailure) last.failures += 1;
  }

  forget(): void {
    this.#seconds = [];
  }
}
