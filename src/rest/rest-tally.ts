/** Counts the REST calls of one operation, and measures their time. */
export class RestTally {
  /** Number of calls, including those that were refused before they were sent. */
  calls = 0;
  /** Number of calls that the API answered with a 2xx. */
  accepted = 0;
  /** Time in ms with at least one call under way; the times of parallel calls are not added up. */
  ms = 0;
  #running = 0;
  #busySince = 0;

  /** Records the start of a call. Each `begin` needs one `end`. */
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
