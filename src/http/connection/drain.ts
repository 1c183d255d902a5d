import { once } from 'node:events';
import { Server } from 'node:net';
import { setImmediate as turn, setTimeout as sleep } from 'node:timers/promises';

/** Most turns of the event loop in which the last connections may come in. */
const MAX_TURNS = 1_000;

/**
 * Closes the gateway to its clients: no new connection is accepted, each answer under way is the last of its connection,
 * and idle connections stay open for a while. A load balancer may be sending on an idle connection at this very moment, and
 * a write lost on the way is a write that nobody may repeat.
 */
export class Drain {
  /** True once each answer is the last of its connection. */
  hasBegun = false;

  /** @param idleMs how long idle connections stay open; 0 closes them at once */
  constructor(private readonly idleMs: number) {}

  /** Resolves when the remaining idle connections may be closed. */
  async begin(server: Server): Promise<void> {
    this.hasBegun = true;
    if (this.idleMs === 0 || !server.listening) return;
    await acceptTheRest(server);
    const closed = once(server, 'close');
    // Not http.Server's close, which closes idle connections at once.
    Server.prototype.close.call(server);
    await Promise.race([closed, sleep(this.idleMs, undefined, { ref: false })]);
    // Timers run before sockets are read: this turn reads the requests that have arrived meanwhile.
    await turn();
  }
}

/** Accepts every pending connection: Node accepts one in each turn of its loop, and closing the port resets the rest. */
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
