import { constants } from 'node:os';
import { endProcess } from './end-process.js';
import type { Log } from './log.js';
import type { Running } from '../programs.js';

/** Signals within this time are one: Ctrl-C under npm may come twice, from the terminal and from npm. */
const SAME_SIGNAL_MS = 1_000;
/** How long closing may take after the grace period. */
const STOP_MARGIN_MS = 700;
/** Time from the end of the grace period to the end of the process: 100 ms less than the promised second. */
const END_MARGIN_MS = 900;

/** Ends the process with `process.exitCode`, after the last lines of the log. */
export async function exit(log: Log): Promise<void> {
  await log.end();
  // The last write counts as work until its callback has returned.
  setImmediate(endProcess);
}

/**
 * Ends the process once, after the requests under way: with 0 on a signal, with 1 after an exception that
 * nobody caught, or when it takes longer than the grace. A second signal ends the process at once.
 *
 * @param starting the start of the program, which may be pending or reject
 */
export function endInOrder(starting: Promise<Running>, log: Log, graceMs: number): void {
  const { logger } = log;
  let isStopping = false;
  const stop = async (): Promise<void> => {
    if (isStopping) return;
    isStopping = true;
    setTimeout(() => {
      logger.fatal('stopping took longer than the grace: what was under way is cut');
      process.exitCode = 1;
      void exit(log);
    }, graceMs + STOP_MARGIN_MS).unref();
    setTimeout(endProcess, graceMs + END_MARGIN_MS).unref();

    // main.ts reports a failed start, and nothing is left to stop.
    const running = await starting.catch(() => undefined);
    try {
      await running?.stop();
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
  // Also of an unhandled rejection. The state is unknown: requests under way may end, and no new one begins.
  process.on('uncaughtException', (error, origin) => {
    process.exitCode = 1;
    logger.fatal({ err: error }, origin);
    void stop();
  });
}
