/**
 * Collects the body of an answer in one buffer. In a list of chunks, an answer in chunks of one byte would cost a
 * hundred times its length.
 */
export class BodyBuffer {
  #bytes: Buffer = Buffer.alloc(0);
  #length = 0;
  #expectedBytes = 0;

  constructor(private readonly maxBytes: number) {}

  get length(): number {
    return this.#length;
  }

  /** Bytes to allocate with the next chunk. Pages that are not filled take no memory. */
  expect(bytes: number): void {
    this.#expectedBytes = bytes;
  }

  /** Adds a chunk; returns `false`, and leaves the chunk out, when the body would be longer than `maxBytes`. */
  add(chunk: Buffer): boolean {
    const length = this.#length + chunk.length;
    if (length > this.maxBytes) return false;
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
