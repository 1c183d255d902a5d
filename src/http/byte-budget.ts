/** A sum of bytes in memory that has a maximum. Nobody waits for bytes: who gets none gives up, or makes others give. */
export class ByteBudget {
  #bytes = 0;

  /**
   * @param whole budget that the bytes of a part count in, too
   * @param freeBytes number of the first bytes of a part that do not count in the whole
   */
  constructor(
    private maxBytes: number,
    private readonly whole?: ByteBudget,
    private readonly freeBytes = 0,
  ) {}

  /** Returns the budget of one request, which counts in this one beyond its first `freeBytes`. */
  part(freeBytes: number): ByteBudget {
    return new ByteBudget(Infinity, this, freeBytes);
  }

  /** Returns false, and takes nothing, if a sum would exceed its maximum, or after `end`. */
  take(bytes: number): boolean {
    const isOver = this.#bytes + bytes > this.maxBytes;
    if (isOver || this.whole?.take(this.#count(bytes)) === false) return false;
    this.#bytes += bytes;
    return true;
  }

  /** Gives back bytes that were taken; after `end`, nothing. */
  give(bytes: number): void {
    const given = Math.min(bytes, this.#bytes);
    this.#bytes -= given;
    this.whole?.give(this.#count(given));
  }

  /** Gives all bytes back, and takes no more. */
  end(): void {
    this.give(this.#bytes);
    this.maxBytes = 0;
  }

  /** Returns how many of the next `bytes` count in the whole. */
  #count(bytes: number): number {
    const toCounted = (sum: number): number => Math.max(0, sum - this.freeBytes);
    return toCounted(this.#bytes + bytes) - toCounted(this.#bytes);
  }
}
