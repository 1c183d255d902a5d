import { createServer, type Socket } from 'node:net';
import {
  createClient,
  idempotent,
  memoryStore,
  RestError,
  type ClientOptions,
  type Write,
} from 'rest-outcome';
import { describe, expect, it, onTestFinished } from 'vitest';
import { startRefusingUrl, toHead } from '../support/faults.js';
import { startStudyApi } from '../support/study-api.js';

interface Customer {
  readonly callerId: string;
}

const payment: Write = {
  method: 'POST',
  path: '/payments',
  template: '/payments',
  noun: 'payment',
  body: '{"amount":25}',
  // A number is no id of a payment.
  entity: { readId: ({ id }) => (typeof id === 'string' ? id : undefined) },
};
const read = { path: '/payments/p1', template: '/payments/{id}' };
const receipt = '{"id":"p1","amount":25}';

const json = (status: string, body: string): string =>
  toHead(status, ['content-type: application/json', `content-length: ${body.length}`], body);
const long = (status: string, begin: string): string =>
  toHead(status, ['content-type: application/json', 'content-length: 1000'], begin);
const html = toHead('200 OK', ['content-type: text/html', 'content-length: 13'], '<html></html>');
const empty = (status: string): string => toHead(status, ['content-length: 0'], '');

/** Starts a server of raw sockets that does `answer` when it has read a request, and a client for it. */
async function start(
  answer: (socket: Socket) => void,
  options: Partial<ClientOptions<Customer>> = {},
) {
  const requests: string[] = [];
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    let text = '';
    sockets.add(socket);
    socket.on('error', () => {});
    socket.on('data', (chunk) => {
      text += chunk.toString();
      const [head = '', body] = text.split('\r\n\r\n');
      const length = Number(/content-length: (\d+)/i.exec(head)?.[1] ?? 0);
      if (body === undefined || body.length < length) return;
      requests.push(text);
      text = '';
      answer(socket);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : undefined;
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return { requests, ...connect(`http://127.0.0.1:${port}`, options) };
}

function connect(baseUrl: string, options: Partial<ClientOptions<Customer>> = {}) {
  const api = createClient<Customer>({ deadlineMs: 400, ...options, baseUrl });
  onTestFinished(() => api.abort());
  return { api, operation: api.begin({ callerId: 'alice' }) };
}

/** Returns what somebody learns of a payment that threw. */
async function pay({ operation }: Pick<Awaited<ReturnType<typeof start>>, 'operation'>) {
  const error: unknown = await operation
    .begin('pay', true)
    .write(payment)
    .catch((thrown: unknown) => thrown);
  operation.end();
  const { outcome, id } = operation.outcomeOf('pay');
  const known = error instanceof RestError ? error : undefined;
  return { code: known?.code, outcome, own: known?.outcome, id };
}

describe('a payment whose answer is', () => {
  it.each<[what: string, bytes: string, end: 'FIN' | 'RST' | 'stay', object]>([
    ['nothing but a FIN', '', 'FIN', { code: 'UPSTREAM_UNAVAILABLE', outcome: 'UNKNOWN' }],
    ['nothing but a RST', '', 'RST', { code: 'UPSTREAM_UNAVAILABLE', outcome: 'UNKNOWN' }],
    ['silence', '', 'stay', { code: 'UPSTREAM_TIMEOUT', outcome: 'UNKNOWN' }],
    [
      'cut in its head',
      'HTTP/1.1 201 Cre',
      'RST',
      { code: 'UPSTREAM_UNAVAILABLE', outcome: 'UNKNOWN' },
    ],
    [
      'a 200 cut before the id',
      long('200 OK', '{"am'),
      'FIN',
      { code: 'UPSTREAM_CONTRACT', outcome: 'UNKNOWN' },
    ],
    [
      'a 201 cut before the id',
      long('201 Created', '{"am'),
      'FIN',
      { code: 'UPSTREAM_CONTRACT', outcome: 'APPLIED' },
    ],
    [
      'a 200 cut after the id',
      long('200 OK', '{"id":"p1",'),
      'RST',
      { code: 'UPSTREAM_CONTRACT', outcome: 'APPLIED', id: 'p1' },
    ],
    [
      'a 200 that stalls after the id',
      long('200 OK', '{"id":"p1",'),
      'stay',
      { code: 'UPSTREAM_TIMEOUT', outcome: 'APPLIED', id: 'p1' },
    ],
    ['a page', html, 'FIN', { code: 'UPSTREAM_CONTRACT', outcome: 'UNKNOWN' }],
    [
      'a 200 that shows nothing',
      json('200 OK', '{"ok":true}'),
      'stay',
      { code: 'UPSTREAM_CONTRACT', outcome: 'UNKNOWN' },
    ],
    ['an empty 200', empty('200 OK'), 'stay', { code: 'UPSTREAM_CONTRACT', outcome: 'UNKNOWN' }],
    ['a 204', toHead('204 No Content'), 'stay', { code: 'UPSTREAM_CONTRACT', outcome: 'APPLIED' }],
    [
      'a redirect',
      toHead('307 Temporary Redirect', ['location: /v2', 'content-length: 0'], ''),
      'stay',
      { code: 'UPSTREAM_CONTRACT', outcome: 'UNKNOWN' },
    ],
    [
      'a refusal',
      json('402 Payment Required', '{}'),
      'stay',
      { code: 'UPSTREAM_ERROR', outcome: 'REJECTED' },
    ],
    ['a 500', json('500 Oops', '{}'), 'stay', { code: 'UPSTREAM_ERROR', outcome: 'UNKNOWN' }],
    ['a 503', json('503 Busy', '{}'), 'stay', { code: 'UPSTREAM_ERROR', outcome: 'UNKNOWN' }],
  ])('%s has the outcome that was seen, and is sent once', async (_, bytes, end, expected) => {
    const started = await start((socket) => {
      socket.write(bytes, () => {
        if (end === 'FIN') socket.end();
        if (end === 'RST') socket.resetAndDestroy();
      });
    });

    const told = await pay(started);

    expect(told).toEqual({ id: undefined, own: told.outcome, ...expected });
    expect(started.requests).toHaveLength(1);
  });
});

it('a payment to a port that nobody listens on is NOT_SENT', async () => {
  expect(await pay(connect(await startRefusingUrl()))).toEqual({
    code: 'UPSTREAM_UNAVAILABLE',
    outcome: 'NOT_SENT',
    own: 'NOT_SENT',
    id: undefined,
  });
});

it('a whole receipt is the answer of the payment, sent with the headers of the client', async () => {
  const { requests, operation } = await start(
    (socket) => socket.write(json('201 Created', receipt)),
    {
      headers: { authorization: 'Bearer secret' },
    },
  );

  expect(await operation.begin('pay', true).write(payment)).toEqual({ id: 'p1', amount: 25 });

  const truth = { outcome: 'APPLIED', id: 'p1', noun: 'payment', isRepeatable: false };
  expect(operation.outcomeOf('pay')).toEqual(truth);
  expect(requests).toEqual([expect.stringContaining('authorization: Bearer secret')]);
});

it('a write without an entity believes any JSON object, and no page', async () => {
  const { entity: _, ...plain } = payment;
  const believed = await start((socket) => socket.write(json('200 OK', '{}')));
  const page = await start((socket) => socket.write(html));

  expect(await believed.operation.begin('pay', true).write(plain)).toEqual({});
  await expect(page.operation.begin('pay', true).write(plain)).rejects.toMatchObject({
    outcome: 'UNKNOWN',
  });
});

it('a read whose answer is lost is sent again, and reads no more than its answer', async () => {
  const { requests, operation } = await start(
    (socket) => {
      if (requests.length < 3) socket.destroy();
      else socket.write(json('200 OK', receipt));
    },
    { deadlineMs: 5_000 },
  );

  expect(await operation.begin('look', false).read(read)).toEqual({ id: 'p1', amount: 25 });

  expect(requests).toHaveLength(3);
  expect(operation.outcomeOf()).toMatchObject({ outcome: 'NOT_SENT' });
});

it('a step writes only while it runs, only if it may, and once', async () => {
  const { requests, operation } = await start((socket) =>
    socket.write(json('201 Created', receipt)),
  );
  const reading = operation.begin('look', false);
  await expect(reading.write(payment)).rejects.toThrow('only reads');
  const earlier = operation.begin('pay', true);
  const later = operation.begin('pay again', true);

  await expect(earlier.write(payment)).rejects.toThrow('the step has ended');
  await later.write(payment);
  await expect(operation.begin('pay again', true).write(payment)).rejects.toThrow('another one');
  operation.end();
  await expect(operation.begin('tip', true).write(payment)).rejects.toThrow('the step has ended');

  expect(requests).toHaveLength(1);
  expect(operation.outcomeOf('pay')).toMatchObject({ outcome: 'NOT_SENT' });
  expect(operation.outcomeOf()).toMatchObject({ outcome: 'APPLIED' });
});

it.each<[what: string, head: string, made: string]>([
  ['a 204', toHead('204 No Content'), 'success'],
  ['a 200 with an object', toHead('200 OK', ['content-length: 2'], '{}'), 'success'],
  ['an empty 200', toHead('200 OK', ['content-length: 0']), 'UNKNOWN'],
  ['an empty 201', toHead('201 Created', ['content-length: 0']), 'UNKNOWN'],
  ['a 200 with a list', toHead('200 OK', ['content-length: 2'], '[]'), 'UNKNOWN'],
])(
  'a write without an entity and a body is after %s a %s, and so is its repeat',
  async (_, head, made) => {
    const api = await startStudyApi((__, ___, { socket }) => void socket.end(head));
    const client = createClient({ baseUrl: api.url, keys: idempotent(memoryStore()) });
    onTestFinished(() => client.close());
    const call = { method: 'DELETE', path: '/orders/1', template: '/orders/{id}', key: 'order-1' };
    const write = () =>
      client
        .begin({})
        .begin('order', true)
        .write(call)
        .then(
          () => 'success',
          (error: unknown) => (error instanceof RestError ? error.outcome : error),
        );

    expect([await write(), await write()]).toEqual([made, made]);
    expect(api.calls).toHaveLength(1);
  },
);
