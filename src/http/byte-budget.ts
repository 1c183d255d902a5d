/** A sum of bytes in memory that has a maximum. Nobody waits for bytes: who gets none gives up, or makes others give. */
export class ByteSum {
  #bytes = 0;

  constructor(private readonly maxBytes: number) {}

  /** Returns false, and takes nothing, if the sum would exceed its maximum. */
  take(bytes: number): boolean {
    if (this.#bytes + bytes > this.maxBytes) return false;
    this.#bytes += bytes;
    return true;
  }

  give(bytes: number): void {
    this.#bytes -= bytes;
  }
}

/** The bytes of a sum that one request holds. The first `freeBytes` of them do not count. */
export class ByteShare {
  #bytes = 0;
  #isOver = false;

  constructor(
    private readonly sum: ByteSum,
    private readonly freeBytes: number,
  ) {}

  /** Returns false, and takes nothing, if the sum would exceed its maximum, or after `end`. */
  take(bytes: number): boolean {
    const counted = this.#toCounted(this.#bytes + bytes) - this.#toCounted(this.#bytes);
    if (this.#isOver || !this.sum.take(counted)) return false;
    this.#bytes += bytes;
    return true;
  }

  give(bytes: number): void {
    if (this.#isOver) return;
    this.sum.give(this.#toCounted(this.#bytes) - this.#toCounted(this.#bytes - bytes));
    this.#bytes -= bytes;
  }

  /** Gives all bytes back. */
  end(): void {
    this.give(this.#bytes);
    this.#isOver = true;
  }

  #toCounted(bytes: number): number {
    return Math.max(0, bytes - this.freeBytes);
  }
}
