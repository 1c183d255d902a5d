import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { expect, it } from 'vitest';
import { createResponseClass } from '../../src/http/connection/response-class.js';
import { listen } from '../support/listen.js';

/** The class that the gateway gives to Node. */
const OurResponse = createResponseClass({ 'x-of': 'all' }, () => false);

/** The answer of a server with these responses, when its handler is this one. */
async function fetchFrom(
  handle: (request: IncomingMessage, response: ServerResponse) => void,
): Promise<Response> {
  const url = await listen(createServer({ ServerResponse: OurResponse }, handle));
  return fetch(url);
}

async function ask(handle: Parameters<typeof fetchFrom>[0]): Promise<string> {
  return (await fetchFrom(handle)).text();
}

it('is written at the end of the turn, and has ended at once', async () => {
  const seen: unknown[] = [];
  const text = await ask(({ socket }, response) => {
    const see = (when: string) =>
      seen.push([when, response.writableEnded, socket.bytesWritten > 0]);
    see('before');
    response.writeHead(200).end('an answer');
    see('ended');
    queueMicrotask(() => see('later in the turn'));
    setImmediate(() => see('after it'));
  });
  expect(text).toBe('an answer');
  expect(seen).toEqual([
    ['before', false, false],
    ['ended', true, false],
    ['later in the turn', true, false],
    ['after it', true, true],
  ]);
});

it('ends once', async () => {
  const text = await ask((_, response) => {
    response.end('an answer');
    response.end('another');
  });
  expect(text).toBe('an answer');
});

it('refuses a second head when it is given, not when it is written', async () => {
  const text = await ask((_, response) => {
    response.writeHead(200).end('an answer');
    expect(() => response.writeHead(500)).toThrow('Cannot write headers after they are sent');
  });
  expect(text).toBe('an answer');
});

it('is let go when the client has left before it is written', async () => {
  const closed = Promise.withResolvers<void>();
  const asked = ask(({ socket }, response) => {
    response.once('close', closed.resolve);
    response.end('an answer');
    socket.destroy();
  });
  await expect(asked).rejects.toThrow('fetch failed');
  await closed.promise;
});

it.for<[string, string, (response: ServerResponse) => void]>([
  ['without one of its own', 'all', (response) => response.end()],
  ['with one in its head', 'one', (response) => response.writeHead(200, { 'x-of': 'one' }).end()],
  ['with one that was set', 'one', (response) => response.setHeader('x-of', 'one').end()],
  [
    'with one that was set and another in its head',
    'another',
    (response) => response.setHeader('x-of', 'one').writeHead(200, { 'x-of': 'another' }).end(),
  ],
])('has the header of all, or its own: %s', async ([, expected, handle]) => {
  const { headers } = await fetchFrom((_, response) => handle(response));

  expect(headers.get('x-of')).toBe(expected);
});
