/** Parses the HTTP answers of one connection, which must have at most one request under way. */
export class Answers {
  readonly #onAnswer: (status: number, body: Buffer) => void;
  #chunks: Buffer[] = [];
  #received = 0;
  /** Offset of the body in the received bytes; 0 until the whole head has arrived. */
  #bodyAt = 0;
  /** Length of the body from `content-length`; `undefined` for a chunked body. */
  #length: number | undefined;

  constructor(onAnswer: (status: number, body: Buffer) => void) {
    this.#onAnswer = onAnswer;
  }

  /** Adds received bytes; calls `onAnswer` once they complete an answer. */
  add(chunk: Buffer): void {
    this.#chunks.push(chunk);
    this.#received += chunk.length;
    if (this.#bodyAt === 0 && !this.#readHead()) return;
    if (this.#length === undefined) {
      // These bytes are the last chunk, of length 0: no contender writes them within its JSON.
      const tail = this.#join().subarray(-7).toString('latin1');
      if (tail === '\r\n0\r\n\r\n') this.#finish(toWhole(this.#join().subarray(this.#bodyAt)));
    } else if (this.#received >= this.#bodyAt + this.#length) {
      this.#finish(this.#join().subarray(this.#bodyAt));
    }
  }

  #readHead(): boolean {
    const bytes = this.#join();
    const end = bytes.indexOf('\r\n\r\n');
    if (end === -1) return false;
    this.#bodyAt = end + 4;
    const length = /\r\ncontent-length: *(\d+)/i.exec(bytes.toString('latin1', 0, end))?.[1];
    this.#length = length === undefined ? undefined : Number(length);
    return true;
  }

  #join(): Buffer {
    if (this.#chunks.length > 1) this.#chunks = [Buffer.concat(this.#chunks)];
    return this.#chunks[0]!;
  }

  #finish(body: Buffer): void {
    const status = Number(this.#join().toString('latin1', 9, 12));
    this.#chunks = [];
    this.#received = 0;
    this.#bodyAt = 0;
    this.#onAnswer(status, body);
  }
}

/** Returns the content of a chunked body. */
function toWhole(chunked: Buffer): Buffer {
  const parts: Buffer[] = [];
  for (let at = 0; ;) {
    const lineEnd = chunked.indexOf('\r\n', at);
    const length = Number.parseInt(chunked.toString('latin1', at, lineEnd), 16);
    if (!(length > 0)) return Buffer.concat(parts);
    parts.push(chunked.subarray(lineEnd + 2, lineEnd + 2 + length));
    at = lineEnd + 2 + length + 2;
  }
}
