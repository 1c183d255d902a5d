import { once } from 'node:events';
import { Server } from 'node:net';
import { setImmediate as turn, setTimeout as sleep } from 'node:timers/promises';

/** Maximum number of event loop turns spent on accepting pending connections. */
const MAX_TURNS = 1_000;

/**
 * Accepts no new connection, and keeps idle connections open for `idleMs`. A load balancer may already be sending a request
 * on an idle connection: if that connection closed, the request would be lost, and a lost write must not be retried.
 */
export async function drain(server: Server, idleMs: number): Promise<void> {
  if (!server.listening) return;
  await acceptTheRest(server);
  const closed = once(server, 'close');
  // Not `http.Server.prototype.close`, which would close idle connections at once.
  Server.prototype.close.call(server);
  await Promise.race([closed, sleep(idleMs, undefined, { ref: false })]);
  // Node runs timers before it reads sockets: one more turn reads the requests that have already arrived.
  await turn();
}

/** Accepts every pending connection: Node accepts one in each turn, and closing the port would reset the others. */
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
