/**
 * Collects the body of an answer. In one buffer rather than a list of chunks: an answer in chunks of one byte
 * each would otherwise cost a hundred times its length.
 */
export class BodyBuffer {
  #bytes: Buffer = Buffer.alloc(0);
  #length = 0;
  #expectedBytes = 0;

  constructor(private readonly maxBytes: number) {}

  get length(): number {
    return this.#length;
  }

  /** So much is made room for when the next chunk comes; what is not filled takes no memory. */
  expect(bytes: number): void {
    this.#expectedBytes = bytes;
  }

  /** `false` when the body is longer than `maxBytes`; the chunk is left out then. */
  add(chunk: Buffer): boolean {
    const length = this.#length + chunk.length;
    if (length > this.maxBytes) return false;
    // Most bodies come in one chunk, and are not copied.
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
