/** How many calls one operation has asked for, and how much of its time went there. */
export class RestTally {
  /** Those among them that were answered without being sent count too. */
  calls = 0;
  /** Calls that the API answered with a 2xx. */
  accepted = 0;
  /** During which one call at least was under way: calls side by side count once. */
  ms = 0;
  #running = 0;
  #busySince = 0;

  /** Each call is to be ended. */
  begin(): void {
    this.calls += 1;
    if (this.#running === 0) this.#busySince = performance.now();
    this.#running += 1;
  }

  end(): void {
    this.#running -= 1;
    if (this.#running === 0) this.ms += performance.now() - this.#busySince;
  }
}
