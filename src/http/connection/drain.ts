import { once } from 'node:events';
import { Server } from 'node:net';
import { setImmediate as turn, setTimeout as sleep } from 'node:timers/promises';

/** Bulkhead of the event loop in which the last connections may come in. */
const MAX_TURNS = 1_000;

/**
 * How the gateway lets go of its clients when it closes: it takes no new connection, the answers under way are
 * the last of their connections, and connections on which nothing is asked stay open for a while more. A balancer may
 * be sending on one at this very moment, and what is lost on the way is a write that nobody may repeat.
 */
export class Drain {
  /** Whether each answer is the last of its connection. */
  hasBegun = false;

  /** @param idleMs how long idle connections stay open; 0 closes them at once */
  constructor(private readonly idleMs: number) {}

  /** Ends when what is left may be cut off from new requests. */
  async begin(server: Server): Promise<void> {
    this.hasBegun = true;
    if (this.idleMs === 0 || !server.listening) return;
    await acceptTheRest(server);
    const closed = once(server, 'close');
    // Not http.Server's own, which closes the idle ones at once.
    Server.prototype.close.call(server);
    await Promise.race([closed, sleep(this.idleMs, undefined, { ref: false })]);
    // Timers come before sockets: what has arrived in the meantime is read first.
    await turn();
  }
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
