import { once } from 'node:events';
import { Server } from 'node:net';
import { setImmediate as turn, setTimeout as sleep } from 'node:timers/promises';

/** Maximum number of event loop turns spent on accepting pending connections. */
const MAX_TURNS = 1_000;

/**
 * Drains the clients' connections before the server closes: accepts no new connection, makes each answer the last of
 * its connection, and keeps idle connections open for a while. A load balancer may already be sending a request on an
 * idle connection: if that connection closed, the request would be lost, and a lost write must not be retried.
 */
export class Drain {
  /** True once draining has begun: from then on, each answer closes its connection. */
  hasBegun = false;

  /** @param idleMs time in ms that idle connections stay open; 0 closes idle connections at once */
  constructor(private readonly idleMs: number) {}

  /** Starts draining. Resolves when the remaining idle connections may be closed. */
  async begin(server: Server): Promise<void> {
    this.hasBegun = true;
    if (this.idleMs === 0 || !server.listening) return;
    await acceptTheRest(server);
    const closed = once(server, 'close');
    // Not `http.Server.prototype.close`, which would close idle connections at once.
    Server.prototype.close.call(server);
    await Promise.race([closed, sleep(this.idleMs, undefined, { ref: false })]);
    // Node runs timers before it reads sockets: one more turn reads the requests that have already arrived.
    await turn();
  }
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
