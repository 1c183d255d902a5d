import { once } from 'node:events';
import { Server } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';

/**
 * How the gateway lets go of its clients when it closes: it takes no new connection, the answers under way are
 * the last of their connections, and connections on which nothing is asked stay open for a while more. A balancer may
 * be sending on one at this very moment, and what is lost on the way is a write that nobody may repeat.
 *
 * @param idleMs how long; 0 closes them at once
 */
export function addDrain(app: FastifyInstance, idleMs: number): void {
  let isClosing = false;
  app.addHook('preClose', async () => {
    isClosing = true;
    if (idleMs === 0 || !app.server.listening) return;
    const closed = once(app.server, 'close');
    // Not http.Server's own, which closes the idle ones at once.
    Server.prototype.close.call(app.server);
    await Promise.race([closed, sleep(idleMs, undefined, { ref: false })]);
  });
  app.addHook('onSend', (_, reply, __, done) => {
    if (isClosing) void reply.header('connection', 'close');
    done();
  });
}
