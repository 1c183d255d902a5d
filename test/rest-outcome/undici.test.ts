import { createServer } from 'node:http';
import type { Duplex } from 'node:stream';
import { buildConnector, Pool, type Dispatcher } from 'undici';
import { describe, expect, it, onTestFinished } from 'vitest';
import { listen } from '../support/listen.js';

interface Sent {
  /** Names of the handler's callbacks and of writes to the socket, in order. */
  readonly events: readonly string[];
  readonly ended: Promise<void>;
}

/** Creates a pool with the options of packages/rest-outcome/src/client.ts and one connection. Each write to it calls `onWrite`. */
function createPool(origin: string, onWrite = (): void => {}): Pool {
  const connect = buildConnector({ allowH2: false });
  const pool = new Pool(origin, {
    connections: 1,
    pipelining: 1,
    connect: (options, callback) =>
      connect(options, (...[error, socket]) => {
        if (error) return callback(error, null);
        tellWrites(socket, onWrite);
        return callback(null, socket);
      }),
  });
  onTestFinished(() => pool.destroy());
  return pool;
}

function tellWrites(socket: Duplex, onWrite: () => void): void {
  const write = socket.write.bind(socket) as (...args: unknown[]) => boolean;
  socket.write = (...args: unknown[]) => {
    onWrite();
    return write(...args);
  };
}

function send(pool: Pool, events: string[], method: 'GET' | 'POST'): Sent {
  const ended = Promise.withResolvers<void>();
  const handler: Dispatcher.DispatchHandler = {
    onRequestStart: () => void events.push('onRequestStart'),
    onResponseStart: (_, status) => void events.push(`onResponseStart ${status}`),
    onResponseData: () => {},
    onResponseEnd: () => {
      events.push('onResponseEnd');
      ended.resolve();
    },
    onResponseError: () => {
      events.push('onResponseError');
      ended.resolve();
    },
  };
  pool.dispatch({ method, path: '/', body: method === 'POST' ? '{}' : null }, handler);
  return { events, ended: ended.promise };
}

describe("undici's onRequestStart, from which the exchange of rest-outcome knows what was sent", () => {
  it('comes before the first byte is written', async () => {
    const url = await listen(createServer((_, response) => response.end('{}')));
    const events: string[] = [];
    const pool = createPool(url, () => events.push('write'));

    await send(pool, events, 'POST').ended;

    expect(events.slice(0, 2)).toEqual(['onRequestStart', 'write']);
    expect(events.filter((event) => event === 'onRequestStart')).toHaveLength(1);
  });

  it('does not come while the call waits for a connection', async () => {
    const arrived = Promise.withResolvers<() => void>();
    const url = await listen(
      createServer((_, response) => arrived.resolve(() => response.end('{}'))),
    );
    const pool = createPool(url);
    const first = send(pool, [], 'POST');
    const answer = await arrived.promise;

    const second = send(pool, [], 'POST');
    expect(second.events).toEqual([]);
    void pool.destroy();
    answer();
    await Promise.all([first.ended, second.ended]);

    expect(first.events).toContain('onRequestStart');
    expect(second.events).toEqual(['onResponseError']);
  });
});
