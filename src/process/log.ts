import { isatty } from 'node:tty';
import { pino } from 'pino';
import type { Config } from '../config/config.js';

const STDOUT = 1;
/** Unwritten log lines are buffered up to this many bytes; later lines are dropped. */
const MAX_LOG_BUFFER_BYTES = 1_048_576;
/** Bytes of log lines that are written together: each write occupies a thread of libuv. */
const BLOCK_BYTES = 8_192;
/** Interval at which an incomplete block is written, in ms. */
const FLUSH_MS = 200;
/** Timeout for writing the last lines in `end`, in ms. */
const END_MS = 2_000;

/** Log lines and other text on stdout. */
export type Log = Awaited<ReturnType<typeof createLog>>;

/**
 * Logs to stdout: JSON in blocks, or human-readable lines on a terminal outside production.
 *
 * Each write runs on a thread of libuv, so that a slow reader of stdout blocks no request. `process.stdout` is never
 * opened: `process.stdout` would write to a terminal on the main thread, and would make a pipe non-blocking.
 */
export async function createLog({ process, isProduction }: Config) {
  const isForPeople = !isProduction && isatty(STDOUT);
  const stdout = pino.destination({
    dest: STDOUT,
    sync: false,
    minLength: isForPeople ? 0 : BLOCK_BYTES,
    periodicFlush: FLUSH_MS,
    maxLength: MAX_LOG_BUFFER_BYTES,
  });
  // pino calls `flushSync` after a fatal line and when the process exits: it would block on a slow reader, and retry a
  // failing write forever.
  stdout.flushSync = () => {};
  // True after stdout has failed, because its reader is gone or the disk is full. The gateway goes on without a log.
  let isLost = false;
  stdout.on('error', () => {
    isLost = true;
  });
  const logger = pino(
    { level: process.logLevel },
    isForPeople ? await createPrettyLines(stdout) : stdout,
  );

  const end = async (): Promise<boolean> => {
    if (isLost) return true;
    const ended = Promise.withResolvers<boolean>();
    const finish = (): void => ended.resolve(true);
    setTimeout(ended.resolve, END_MS, false);
    stdout.once('close', finish).once('error', finish);
    // Stops logging: writing to a destination that has ended throws.
    logger.level = 'silent';
    // Not `flush`: during a write, `flush` waits for that write only, and not for later lines.
    stdout.end();
    return ended.promise;
  };
  let ending: Promise<boolean> | undefined;
  return {
    logger,
    /** Writes text that is not a log line, such as the banner. */
    print: (text: string): void => {
      stdout.write(text);
      stdout.flush();
    },
    /** Writes the last lines. Resolves when they are written or stdout fails; with false if neither occurs in 2 s. */
    end: () => (ending ??= end()),
  };
}

/** Creates an output that formats lines for people. */
async function createPrettyLines(stdout: { write(text: string): unknown }) {
  const { prettyFactory } = await import('pino-pretty');
  const toPretty = prettyFactory({ ignore: 'pid,hostname' });
  return { write: (line: string) => void stdout.write(toPretty(line)) };
}
