/** Characters of a block. */
const BLOCK_LENGTH = 8_192;
const DELAY_MS = 200;

/**
 * Passes on log lines in blocks of 8,192 characters, or after 200 ms, because each write occupies a thread of libuv.
 * pino's own destination, with a `minLength`, would measure the whole block again with each line.
 */
export class LogBlocks {
  #block = '';

  constructor(private readonly destination: { write(block: string): unknown }) {
    setInterval(() => this.flush(), DELAY_MS).unref();
  }

  write(line: string): void {
    this.#block += line;
    if (this.#block.length >= BLOCK_LENGTH) this.flush();
  }

  flush(): void {
    const block = this.#block;
    this.#block = '';
    if (block !== '') this.destination.write(block);
  }
}
