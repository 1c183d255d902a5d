import { isatty } from 'node:tty';
import { pino, type Logger } from 'pino';
import type { Config } from '../config/config.js';
import { LogBlocks } from './log-blocks.js';

const STDOUT = 1;
/** Unwritten log lines are buffered up to this many bytes; later lines are dropped. */
const MAX_LOG_BUFFER_BYTES = 1_048_576;
/** How long `end` waits until the last lines are read. */
const END_MS = 500;

/** The output of the process on stdout. */
export interface Log {
  readonly logger: Logger;
  /** Writes text that is no log line. */
  readonly print: (text: string) => void;
  /** Resolves when the last line is written, when no line can be written any more, or after 500 ms. */
  readonly end: () => Promise<void>;
}

/**
 * Logs to stdout: JSON in blocks, or lines for people on a terminal outside production.
 *
 * A thread of libuv does each write, so that a slow reader stops no request. `process.stdout` is never opened: it would
 * write to a terminal on the main thread, and would make a pipe non-blocking.
 */
export async function createLog({ logLevel, isProduction }: Config): Promise<Log> {
  const stdout = pino.destination({
    dest: STDOUT,
    sync: false,
    maxLength: MAX_LOG_BUFFER_BYTES,
  });
  // pino calls flushSync at the exit, which repeats a failing write for ever.
  stdout.flushSync = () => {};
  // The reader has left, or the disk is full: the requests go on without a log.
  let isLost = false;
  stdout.on('error', () => {
    isLost = true;
  });
  const isForPeople = !isProduction && isatty(STDOUT);
  const lines = isForPeople ? await createPrettyLines(stdout) : new LogBlocks(stdout);
  const logger = pino({ level: logLevel }, lines);

  const end = async (): Promise<void> => {
    if (isLost) return;
    const ended = Promise.withResolvers<void>();
    setTimeout(ended.resolve, END_MS);
    stdout.once('close', ended.resolve).once('error', ended.resolve);
    // Writing to a destination that has ended throws.
    logger.level = 'silent';
    lines.flush();
    // Not flush: during a write, flush waits for that write alone.
    stdout.end();
    await ended.promise;
  };
  let ending: Promise<void> | undefined;
  return {
    logger,
    print: (text) => {
      lines.flush();
      stdout.write(text);
    },
    end: () => (ending ??= end()),
  };
}

type Lines = Pick<LogBlocks, 'write' | 'flush'>;

/** Writes each line at once. */
async function createPrettyLines(stdout: { write(text: string): unknown }): Promise<Lines> {
  const { prettyFactory } = await import('pino-pretty');
  const toPretty = prettyFactory({ ignore: 'pid,hostname' });
  return { write: (line) => void stdout.write(toPretty(line)), flush: () => {} };
}
