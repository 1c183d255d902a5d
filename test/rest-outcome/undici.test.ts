import { createServer } from 'node:http';
import { buildConnector, Pool } from 'undici';
import { expect, it, onTestFinished } from 'vitest';
import { listen } from '../support/listen.js';

// From undici's onRequestStart, the exchange of rest-outcome knows what was sent.

/** Creates a pool as packages/rest-outcome/src/client.ts does, with one connection. `send` sends a POST, and records its events. */
function createPool(origin: string) {
  const events: string[] = [];
  const connect = buildConnector({ allowH2: false });
  const pool = new Pool(origin, {
    connections: 1,
    pipelining: 1,
    connect: (options, callback) =>
      connect(options, (...[error, socket]) => {
        if (error) return callback(error, null);
        const write = socket.write.bind(socket) as (...args: unknown[]) => boolean;
        socket.write = (...args: unknown[]) => {
          events.push('write');
          return write(...args);
        };
        return callback(null, socket);
      }),
  });
  onTestFinished(() => pool.destroy());
  const send = (name: string): Promise<void> =>
    new Promise((resolve) => {
      pool.dispatch(
        { method: 'POST', path: '/', body: '{}' },
        {
          onRequestStart: () => void events.push(`${name} starts`),
          onResponseStart: () => {},
          onResponseData: () => {},
          onResponseEnd: () => resolve(),
          onResponseError: () => {
            events.push(`${name} fails`);
            resolve();
          },
        },
      );
    });
  return { pool, events, send };
}

it('comes once, before the first byte is written', async () => {
  const url = await listen(createServer((_, response) => response.end('{}')));
  const { events, send } = createPool(url);

  await send('call');

  expect(events.slice(0, 2)).toEqual(['call starts', 'write']);
  expect(events.filter((event) => event === 'call starts')).toHaveLength(1);
});

it('does not come while the call waits for a connection', async () => {
  const arrived = Promise.withResolvers<void>();
  const url = await listen(createServer(() => arrived.resolve()));
  const { pool, events, send } = createPool(url);
  const first = send('first');
  await arrived.promise;

  const second = send('second');
  void pool.destroy();
  await Promise.all([first, second]);

  expect(events).toContain('first starts');
  expect(events).toContain('second fails');
  expect(events).not.toContain('second starts');
});
