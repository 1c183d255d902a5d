import type { Server } from 'node:net';
import type { Logger } from '../../logger.js';

/** Minimum time between two log lines, in ms: clients must not be able to fill the log. */
const REPORT_MS = 60_000;

/** Logs, at most once a minute, how many connections were closed at once because `maxConnections` were open. */
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
