import type { Server } from 'node:net';
import type { Logger } from '../../logger.js';

/** Least time between two lines, so that clients cannot fill the log. */
const REPORT_MS = 60_000;

/** Logs now and then how many connections were closed as they came, because `maxConnections` were open. */
export function reportRefusedConnections(server: Server, logger: Pick<Logger, 'warn'>): void {
  let refused = 0;
  let reportedAt = -Infinity;
  server.on('drop', () => {
    refused += 1;
    const now = performance.now();
    if (now - reportedAt < REPORT_MS) return;
    const details = { connections: refused, maxConnections: server.maxConnections };
    logger.warn(details, 'connections are refused: MAX_CONNECTIONS are open');
    refused = 0;
    reportedAt = now;
  });
}
