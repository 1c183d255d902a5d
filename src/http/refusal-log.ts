import type { FastifyBaseLogger } from 'fastify';

/** Time in ms in which `MAX_LINES` refusals of one status are logged: clients must not be able to fill the log. */
const WINDOW_MS = 10_000;
const MAX_LINES = 20;

export type LogRefusal = (status: number, reason: string, requestId?: string) => void;

/**
 * Creates the log of requests that are refused before an operation runs. The first refusals of a status in each window
 * have a line; the next line of the status has the number of those `skipped`.
 */
export function createRefusalLog(logger: Pick<FastifyBaseLogger, 'info'>): LogRefusal {
  const windows = new Map<number, { endsAt: number; lines: number; skipped: number }>();
  return (status, reason, requestId) => {
    const now = performance.now();
    const window = windows.get(status) ?? { endsAt: 0, lines: 0, skipped: 0 };
    windows.set(status, window);
    if (now >= window.endsAt) Object.assign(window, { endsAt: now + WINDOW_MS, lines: 0 });
    if (window.lines === MAX_LINES) window.skipped++;
    else {
      const skipped = window.skipped || undefined;
      Object.assign(window, { lines: window.lines + 1, skipped: 0 });
      logger.info({ requestId, status, reason, skipped }, 'a request was refused');
    }
  };
}
