/**
 * Collects the body of an answer in one growing buffer. A list of one-byte chunks would take a hundred times the size
 * of the body.
 */
export class BodyBuffer {
  #bytes: Buffer = Buffer.alloc(0);
  #length = 0;
  #expectedBytes = 0;

  constructor(private readonly maxBytes: number) {}

  get length(): number {
    return this.#length;
  }

  /** Sets the minimum size of the buffer after it grows. Pages that are never written take no physical memory. */
  expect(bytes: number): void {
    this.#expectedBytes = bytes;
  }

  /** Appends a chunk. Returns `false` if the body is longer than `maxBytes`, and then appends only what fits. */
  add(chunk: Buffer): boolean {
    const length = this.#length + chunk.length;
    if (length > this.maxBytes) {
      this.add(chunk.subarray(0, this.maxBytes - this.#length));
      return false;
    }
    // Most bodies come in one chunk, which is not copied.
    if (this.#length === 0) this.#bytes = chunk;
    else {
      if (length > this.#bytes.length) this.#grow(length);
      chunk.copy(this.#bytes, this.#length);
    }
    this.#length = length;
    return true;
  }

  toBuffer(): Buffer {
    return this.#bytes.subarray(0, this.#length);
  }

  #grow(length: number): void {
    const wanted = Math.max(length, 2 * this.#bytes.length, this.#expectedBytes);
    const bytes = Buffer.allocUnsafeSlow(Math.min(wanted, this.maxBytes));
    this.#bytes.copy(bytes, 0, 0, this.#length);
    this.#bytes = bytes;
  }
}
