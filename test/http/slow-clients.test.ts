import type { Socket } from 'node:net';
import { describe, expect, it } from 'vitest';
import {
  connectTo,
  ended,
  exchange,
  json,
  readSome,
  readToEnd,
  toAnswers,
  toPost,
  toRequest,
} from '../support/raw-http.js';
import { startTestGateway } from '../support/gateway.js';
import { wholeStudy } from '../support/studies.js';

const body = '{"query":"{ __typename }"}';
const served = { status: 200, body: { data: { __typename: 'Query' } } };
const tooSlow = { status: 408, headers: { connection: 'close' }, body: undefined };

/** Sends `bytes`, then `a` repeatedly, one byte every 20 ms, until the server ends the connection. */
function drip(socket: Socket, bytes: string): void {
  let next = 0;
  const timer = setInterval(() => socket.write(bytes[next++] ?? 'a'), 20);
  void ended(socket).then(() => clearInterval(timer));
}

const isServed = (url: string) =>
  fetch(`${url}/health/live`).then(
    ({ ok }) => ok,
    () => false,
  );

describe('a client whose request is not complete within requestTimeoutMs', () => {
  const post = (header: string): string => toRequest('POST /graphql', [json, header]);
  it.each([
    ['nothing at all', ''],
    ['half of the request line', 'POST /gra'],
    ['half of a body', post('content-length: 26') + body.slice(0, 13)],
    ['half of a chunk', `${post('transfer-encoding: chunked')}1a\r\n${body.slice(0, 13)}`],
    ['no last chunk', `${post('transfer-encoding: chunked')}1a\r\n${body}\r\n`],
  ])('gets 408, and its connection is closed: %s', async (_, bytes) => {
    const { url, calls } = await startTestGateway({ requestTimeoutMs: 100 });
    const socket = await connectTo(url);
    const started = performance.now();

    socket.write(bytes);

    expect(toAnswers(await readToEnd(socket))).toEqual([tooSlow]);
    expect(performance.now() - started).toBeGreaterThan(90);
    expect(calls).toEqual([]);
  });

  it.each([
    ['headers', 'GET /health/live HTTP/1.1\r\nx: '],
    ['a body', `${post('content-length: 100000')}{"query":"`],
  ])('gets 408 even if it sends %s all the time', async (_, bytes) => {
    const { url } = await startTestGateway({ requestTimeoutMs: 200 });
    const socket = await connectTo(url);

    drip(socket, bytes);

    expect(toAnswers(await readToEnd(socket))).toEqual([tooSlow]);
  });

  it('gets 408 even after a first request that was fast enough', async () => {
    const { url } = await startTestGateway({ requestTimeoutMs: 200 });
    const socket = await connectTo(url);

    socket.write(`${toPost(body)}POST /graphql HTTP/1.1\r\n`);

    expect(toAnswers(await readToEnd(socket))).toMatchObject([served, tooSlow]);
  });
});

describe('a connection', () => {
  it('announces a keep-alive timeout that is longer than the idle timeouts of load balancers', async () => {
    const { url } = await startTestGateway();

    const { headers } = await fetch(`${url}/health/live`);

    expect(headers.get('keep-alive')).toBe('timeout=72');
  });

  it('is not closed while its call is in progress', async () => {
    const released = Promise.withResolvers<void>();
    const { url } = await startTestGateway({
      requestTimeoutMs: 100,
      api: (response) =>
        void released.promise.then(() => response.end(JSON.stringify({ id: wholeStudy.id }))),
    });
    const socket = await connectTo(url);
    const create = JSON.stringify({ query: 'mutation { createStudy(input: {}) { status } }' });

    socket.write(toPost(create, ['authorization: Bearer test-token', 'connection: close']));
    // Waits until the gateway has refused two slow connections: the first one's time limit has passed as well.
    await readToEnd(await connectTo(url));
    await readToEnd(await connectTo(url));
    released.resolve();

    expect(toAnswers(await readToEnd(socket))).toMatchObject([
      { status: 200, body: { data: { createStudy: { status: null } } } },
    ]);
  });

  it('over maxConnections is closed until another connection ends', async () => {
    const { url } = await startTestGateway({ maxConnections: 2 });
    const [first, second] = [await connectTo(url), await connectTo(url)];
    second.write(toPost(body));
    await readSome(second);

    expect(await exchange(url, toPost(body))).toEqual([]);
    second.write(toPost(body));
    expect(toAnswers(await readSome(second))).toMatchObject([served]);
    first.destroy();

    await expect.poll(() => isServed(url), { timeout: 15_000 }).toBe(true);
  });
});

describe('a client with headers over 16 KiB', () => {
  it.each([
    ['in one', toPost(body, [`x-long: ${'a'.repeat(16_384)}`])],
    ['in many', toPost(body, Array(9_000).fill('a: b'))],
    ['in a URL that has not ended', `GET /${'a'.repeat(200_000)}`],
  ])('gets 431, and its connection is closed: %s', async (_, bytes) => {
    const { url, calls } = await startTestGateway();
    const socket = await connectTo(url);

    socket.write(bytes);

    expect(toAnswers(await readToEnd(socket))).toEqual([
      { status: 431, headers: { connection: 'close' }, body: undefined },
    ]);
    expect(calls).toEqual([]);
  });
});
