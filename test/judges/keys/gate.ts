import { EventEmitter, once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

type Mode = 'open' | 'swallow' | 'hold-requests' | 'hold-replies' | 'cut-replies';

/** A TCP proxy between a gateway and another server, which loses, holds or refuses what passes. */
export interface Gate {
  readonly port: number;
  /** Directs new connections to another port. */
  readonly lead: (port: number) => void;
  /** Changes what happens to bytes that arrive from now on. `open` passes on what was held; other modes drop it. */
  readonly set: (mode: Mode) => void;
  /** Resolves when bytes have been swallowed, held or cut since the last `set`. */
  readonly stopped: () => Promise<void>;
  /** Resolves when a request has arrived since the last `set`. */
  readonly heard: () => Promise<void>;
  /** Closes all connections and refuses new ones, until `reopen`. */
  readonly shut: () => Promise<void>;
  readonly reopen: () => Promise<void>;
}

/** Starts a proxy to a port of 127.0.0.1. */
export async function startGate(target: number): Promise<Gate> {
  let mode: Mode = 'open';
  let [isStopped, isHeard] = [false, false];
  let passHeld: (() => void)[] = [];
  const events = new EventEmitter();
  const sockets = new Set<Socket>();

  // A client's own health checks are not what a test waits for: `PING`, and a script on a key that no call has.
  const isPing = (chunk: Buffer): boolean =>
    /^\*1\r\n\$4\r\nPING\r\n$|^\+PONG\r\n$|^\*4\r\n\$4\r\nEVAL\r\n[^*]*:check\r\n$|^:0\r\n$/i.test(
      chunk.toString('latin1'),
    );
  const stop = (chunk: Buffer): void => {
    if (isPing(chunk)) return;
    isStopped = true;
    events.emit('stopped');
  };
  const pass = (from: Socket, to: Socket, holds: Mode): void => {
    from.on('data', (chunk: Buffer) => {
      if (holds === 'hold-requests' && !isPing(chunk)) {
        isHeard = true;
        events.emit('heard');
      }
      if (mode === 'swallow') stop(chunk);
      else if (mode === holds) {
        passHeld.push(() => void to.write(chunk));
        stop(chunk);
      } else if (mode === 'cut-replies' && holds === 'hold-replies') {
        stop(chunk);
        from.destroy();
        to.destroy();
      } else to.write(chunk);
    });
    from.on('error', () => {});
    from.on('close', () => {
      sockets.delete(from);
      to.destroy();
    });
  };
  const server = createServer((client) => {
    const upstream = connect(target, '127.0.0.1');
    sockets.add(client).add(upstream);
    pass(client, upstream, 'hold-requests');
    pass(upstream, client, 'hold-replies');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const destroyAll = (): void => sockets.forEach((socket) => void socket.destroy());

  return {
    port,
    lead: (given) => {
      target = given;
    },
    set: (given) => {
      // A connection that lost bytes in between is of no use any more.
      if (mode === 'swallow' && given === 'open') destroyAll();
      mode = given;
      [isStopped, isHeard] = [false, false];
      const held = passHeld;
      passHeld = [];
      if (given === 'open') held.forEach((write) => write());
    },
    stopped: async () => {
      if (!isStopped) await once(events, 'stopped');
    },
    heard: async () => {
      if (!isHeard) await once(events, 'heard');
    },
    shut: async () => {
      const closed = once(server, 'close');
      server.close();
      destroyAll();
      await closed;
    },
    reopen: async () => {
      server.listen(port, '127.0.0.1');
      await once(server, 'listening');
    },
  };
}
