import { once } from 'node:events';
import { Server } from 'node:net';
import { setImmediate as turn, setTimeout as sleep } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';

/** Turns of the event loop in which the last connections may come in. */
const MAX_TURNS = 1_000;

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
    await acceptTheRest(app.server);
    const closed = once(app.server, 'close');
    // Not http.Server's own, which closes the idle ones at once.
    Server.prototype.close.call(app.server);
    await Promise.race([closed, sleep(idleMs, undefined, { ref: false })]);
    // Timers come before sockets: what has arrived in the meantime is read first.
    await turn();
  });
  app.addHook('onSend', (_, reply, __, done) => {
    if (isClosing) void reply.header('connection', 'close');
    done();
  });
}

/** Node accepts one connection in each turn of its loop, and the system resets what is left when the port closes. */
async function acceptTheRest(server: Server): Promise<void> {
  let isAccepting = true;
  const onConnection = (): void => void (isAccepting = true);
  server.on('connection', onConnection);
  for (let turns = 0; isAccepting && turns < MAX_TURNS; turns++) {
    isAccepting = false;
    await turn();
  }
  server.off('connection', onConnection);
}
