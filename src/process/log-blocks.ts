/** In characters. */
const BLOCK_LENGTH = 8_192;
const DELAY_MS = 200;

/**
 * Hands on log lines in blocks of 8,192 characters, or after 200 ms, because each write costs a turn of another thread.
 * pino's own destination, with a `minLength`, would measure the whole block again at each line.
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
