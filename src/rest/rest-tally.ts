/** Counts and times the calls of one operation. */
export class RestTally {
  /** Number of calls, those included that were refused before they were sent. */
  calls = 0;
  /** Calls that the API answered with a 2xx. */
  accepted = 0;
  /** Time with at least one call under way; parallel calls count once. */
  ms = 0;
  #running = 0;
  #busySince = 0;

  /** Begins a call, which must `end`. */
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
