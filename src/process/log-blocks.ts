/** Number of characters at which a block is written. */
const BLOCK_LENGTH = 8_192;
/** Interval at which an incomplete block is written, in ms. */
const DELAY_MS = 200;

/**
 * Collects log lines, and writes them as one block at 8,192 characters or every 200 ms, because each write occupies a
 * thread of libuv. pino's own destination with `minLength` would measure the whole block again for each line.
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
