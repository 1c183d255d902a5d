import { constants } from 'node:os';
import type { Running } from '../start.js';
import type { Log } from './log.js';

/** Time in ms within which signals count as one: Ctrl-C under npm may arrive twice, from the terminal and from npm. */
const SAME_SIGNAL_MS = 1_000;
/** Time in ms that closing may take after the grace period. With the end of the log, less than the 3 s that the docs promise. */
const STOP_MARGIN_MS = 500;

/**
 * Writes the last lines of the log, then ends the process with `process.exitCode`. If nobody reads the log, ends the
 * process by SIGKILL: `process.exit` would wait for the thread that writes.
 */
export async function exit(log: Log): Promise<void> {
  if (await log.end()) process.exit();
  process.kill(process.pid, 'SIGKILL');
}

/**
 * Makes signals and uncaught exceptions stop the program and end the process, once the requests under way are answered.
 * The exit code is 0 after a signal; it is 1 after an uncaught exception, or if stopping fails or takes too long, for
 * example because a request outlasts the grace period. A second signal ends the process at once.
 *
 * @param starting resolves with the program when the program has started, or rejects if the start fails
 */
export function endInOrder(starting: Promise<Running>, log: Log, graceMs: number): void {
  const { logger } = log;
  let isStopping = false;
  const stop = async (): Promise<void> => {
    if (isStopping) return;
    isStopping = true;
    setTimeout(() => {
      process.exitCode = 1;
      logger.fatal('stopping took longer than the grace period: requests under way are cut');
      void exit(log);
    }, graceMs + STOP_MARGIN_MS).unref();

    // main.ts reports a failed start, and nothing is left to stop.
    const running = await starting.catch(() => undefined);
    try {
      await running?.close();
    } catch (error) {
      process.exitCode = 1;
      logger.fatal({ err: error }, 'stopping failed');
    }
    await exit(log);
  };

  let signaledAt: number | undefined;
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const)
    process.on(signal, () => {
      const now = performance.now();
      signaledAt ??= now;
      if (now - signaledAt > SAME_SIGNAL_MS) {
        logger.warn({ signal }, 'ended at once by a second signal');
        process.exitCode = 128 + constants.signals[signal];
        void exit(log);
        return;
      }
      if (!isStopping) logger.info({ signal }, 'stopping');
      void stop();
    });
  // Fires for unhandled rejections too. The state of the process is unknown, so the program stops.
  process.on('uncaughtException', (error, origin) => {
    process.exitCode = 1;
    logger.fatal({ err: error }, origin);
    void stop();
  });
}
