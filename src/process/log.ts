import { isatty } from 'node:tty';
import { pino } from 'pino';
import type { Config } from '../config/config.js';

const STDOUT = 1;
/** Unwritten log lines are buffered up to this many bytes; later lines are dropped. */
const MAX_LOG_BUFFER_BYTES = 1_048_576;
/** Timeout for writing the last lines in `end`, in ms. */
const END_MS = 500;

/** Log lines and other text on stdout. */
export type Log = Awaited<ReturnType<typeof createLog>>;

/**
 * Logs to stdout: JSON in blocks, or human-readable lines on a terminal outside production.
 *
 * Each write runs on a thread of libuv, so that a slow reader of stdout blocks no request. `process.stdout` is never
 * opened: `process.stdout` would write to a terminal on the main thread, and would make a pipe non-blocking.
 */
export async function createLog({ process, isProduction }: Config) {
  const stdout = pino.destination({
    dest: STDOUT,
    sync: false,
    maxLength: MAX_LOG_BUFFER_BYTES,
  });
  // pino calls `flushSync` when the process exits, and pino's own `flushSync` would retry a failing write forever.
  stdout.flushSync = () => {};
  // True after stdout has failed, because its reader is gone or the disk is full. The gateway goes on without a log.
  let isLost = false;
  stdout.on('error', () => {
    isLost = true;
  });
  const isForPeople = !isProduction && isatty(STDOUT);
  const lines = isForPeople ? await createPrettyLines(stdout) : new LogBlocks(stdout);
  const logger = pino({ level: process.logLevel }, lines);

  const end = async (): Promise<void> => {
    if (isLost) return;
    const ended = Promise.withResolvers<void>();
    setTimeout(ended.resolve, END_MS);
    stdout.once('close', ended.resolve).once('error', ended.resolve);
    // Stops logging: writing to a destination that has ended throws.
    logger.level = 'silent';
    lines.flush();
    // Not `flush`: during a write, `flush` waits for that write only, and not for later lines.
    stdout.end();
    await ended.promise;
  };
  let ending: Promise<void> | undefined;
  return {
    logger,
    /** Writes text that is not a log line, such as the banner. */
    print: (text: string): void => {
      lines.flush();
      stdout.write(text);
    },
    /** Writes the last lines. Resolves when they are written, when stdout fails, or after 500 ms. */
    end: () => (ending ??= end()),
  };
}

/** Creates an output that formats lines for people and writes each line at once. */
async function createPrettyLines(stdout: { write(text: string): unknown }) {
  const { prettyFactory } = await import('pino-pretty');
  const toPretty = prettyFactory({ ignore: 'pid,hostname' });
  return { write: (line: string) => void stdout.write(toPretty(line)), flush: () => {} };
}

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
