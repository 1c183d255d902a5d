import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { expect, it } from 'vitest';
import { createResponseClass } from '../../src/http/response-class.js';
import { listen } from '../support/listen.js';

/** The response class under test, with a default value of the header `x-of`. */
const OurResponse = createResponseClass({ 'x-of': 'all' }, () => false);

/** Starts a server with this handler that uses the response class, and returns its response to a GET. */
async function fetchFrom(
  handle: (request: IncomingMessage, response: ServerResponse) => void,
): Promise<Response> {
  const url = await listen(createServer({ ServerResponse: OurResponse }, handle));
  return fetch(url);
}

async function ask(handle: Parameters<typeof fetchFrom>[0]): Promise<string> {
  return (await fetchFrom(handle)).text();
}

it('is written at the end of the current turn of the event loop, but counts as ended at once', async () => {
  const seen: unknown[] = [];
  const text = await ask(({ socket }, response) => {
    const see = (when: string) =>
      seen.push([when, response.writableEnded, socket.bytesWritten > 0]);
    see('before');
    response.writeHead(200).end('an answer');
    see('ended');
    queueMicrotask(() => see('later in the turn'));
    setImmediate(() => see('in the next turn'));
  });
  expect(text).toBe('an answer');
  expect(seen).toEqual([
    ['before', false, false],
    ['ended', true, false],
    ['later in the turn', true, false],
    ['in the next turn', true, true],
  ]);
});

it('ignores a second end', async () => {
  const text = await ask((_, response) => {
    response.end('an answer');
    response.end('another');
  });
  expect(text).toBe('an answer');
});

it('refuses a second writeHead at once, not only when the response is written', async () => {
  const text = await ask((_, response) => {
    response.writeHead(200).end('an answer');
    expect(() => response.writeHead(500)).toThrow('Cannot write headers after they are sent');
  });
  expect(text).toBe('an answer');
});

it('is discarded when the client disconnects before it is written', async () => {
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
  ['without its own header', 'all', (response) => response.end()],
  [
    'with the header in writeHead',
    'one',
    (response) => response.writeHead(200, { 'x-of': 'one' }).end(),
  ],
  ['with the header in setHeader', 'one', (response) => response.setHeader('x-of', 'one').end()],
  [
    'with the header in setHeader and in writeHead',
    'another',
    (response) => response.setHeader('x-of', 'one').writeHead(200, { 'x-of': 'another' }).end(),
  ],
])('has the default header, or its own: %s', async ([, expected, handle]) => {
  const { headers } = await fetchFrom((_, response) => handle(response));

  expect(headers.get('x-of')).toBe(expected);
});
