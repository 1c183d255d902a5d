import { expect, it, onTestFinished } from 'vitest';
import {
  createClient,
  idempotent,
  memoryStore,
  RestError,
  type ClientOptions,
  type Write,
} from 'rest-outcome';
import { toHead } from '../support/faults.js';
import { answerJson, startStudyApi, type Respond } from '../support/study-api.js';

type ApiOptions = Pick<ClientOptions<Tenant>, 'headers' | 'readRejection'>;

interface Tenant {
  readonly tenant: string;
}

const entity = { readId: () => 'a', isAskedFor: () => true };
const write: Write = {
  method: 'REPORT',
  path: '/orders/a',
  template: '/orders/{id}',
  body: '{"count":1}',
  entity,
};
const read = { path: '/orders?page=1', template: '/orders' };

/** Begins an operation of a client for an API of orders, behind `respond`. */
async function begin(respond: Respond, api: ApiOptions) {
  const { url, calls } = await startStudyApi(respond);
  const client = createClient<Tenant>({
    ...api,
    baseUrl: new URL(`${url}/v1/`),
    deadlineMs: 5_000,
    maxAnswerBytes: 10_000,
    maxCalls: 4,
    maxQueue: 4,
  });
  const operation = client.openLedger({ tenant: 'blue' });
  return { calls, client, operation, field: operation.beginStep('order', true) };
}

const signed: ApiOptions = {
  headers: async ({ path }, { tenant }) => ({ 'x-api-key': `${tenant} ${path}` }),
};

it('a call has the headers of its source and no others of a caller, by any method', async () => {
  const { calls, client, field, operation } = await begin(answerJson({ id: 'a' }), signed);

  await field.write(write);
  await field.read(read);
  await client.close();

  const own = {
    accept: 'application/json',
    'accept-encoding': 'identity',
    host: expect.any(String),
    connection: 'keep-alive',
  };
  const sent = { 'content-length': '11', 'content-type': 'application/json' };
  expect(calls).toEqual([
    {
      method: 'REPORT',
      url: '/v1/orders/a',
      headers: { ...own, ...sent, 'x-api-key': 'blue /orders/a' },
      body: '{"count":1}',
    },
    {
      method: 'GET',
      url: '/v1/orders?page=1',
      headers: { ...own, 'x-api-key': 'blue /orders?page=1' },
      body: '',
    },
  ]);
  const truth = { outcome: 'APPLIED', id: 'a', noun: 'thing', isRepeatable: false };
  expect(operation.outcomeOf('order')).toEqual(truth);
});

it.each<[string, ApiOptions['headers']]>([
  ['at once', () => JSON.parse('')],
  ['later', () => Promise.reject(new SyntaxError('no credentials'))],
])('a write whose headers fail %s is NOT_SENT', async (_, headers) => {
  const { calls, client, field, operation } = await begin(answerJson({}), { headers });

  await expect(field.write(write)).rejects.toThrow(SyntaxError);
  await client.close();

  expect(calls).toEqual([]);
  expect(operation.outcomeOf('order')).toMatchObject({ outcome: 'NOT_SENT' });
});

it('a write by any method is sent once when its answer is lost, and a GET again', async () => {
  const { calls, client, field } = await begin((response) => response.destroy(), signed);

  await expect(field.read(read)).rejects.toMatchObject({ outcome: 'UNKNOWN' });
  await expect(field.write(write)).rejects.toMatchObject({ outcome: 'UNKNOWN' });
  await client.close();

  expect(calls.map(({ method }) => method)).toEqual(['GET', 'GET', 'GET', 'REPORT']);
});

it.each(['by', 'scope'])('a write is NOT_SENT when the %s of its key fails', async (option) => {
  const { url, calls } = await startStudyApi(answerJson({ id: 'a' }));
  const fail = () => Promise.reject(new TypeError('no caller'));
  const client = createClient({
    baseUrl: url,
    keys: idempotent(memoryStore(), { [option]: fail }),
  });
  const operation = client.openLedger({});
  const order = operation.beginStep('order', true).write({ ...write, key: 'order-1' });

  await expect(order).rejects.toThrow('no caller');
  await client.close();

  expect(calls).toEqual([]);
  expect(operation.outcomeOf('order')).toMatchObject({ outcome: 'NOT_SENT' });
});

it('a read shows the defect of its last attempt, not the failure of an earlier one', async () => {
  const answers: Respond[] = [(response) => void response.destroy(), answerJson({}, 422)];
  const { calls, client, field } = await begin((...call) => answers[calls.length - 1]?.(...call), {
    readRejection: () => JSON.parse(''),
  });

  await expect(field.read(read)).rejects.toThrow(SyntaxError);
  await client.close();

  expect(calls).toHaveLength(2);
});

it('a probe that ends in a defect does not close the circuit', async () => {
  let status = 503;
  const { url } = await startStudyApi((...call) => answerJson({}, status)(...call));
  const client = createClient({
    baseUrl: url,
    circuitOpenMs: 1,
    readRejection: () => JSON.parse(''),
  });
  onTestFinished(() => client.close());
  const send = () => client.openLedger({}).beginStep('order', true).write(write);
  for (let calls = 0; calls < 20; calls += 1) await expect(send()).rejects.toThrow(RestError);
  expect(client.circuit).toBe('open');
  status = 422;

  // The first one is refused if the circuit is not yet half-open.
  await expect.poll(() => send().catch(String), { interval: 2 }).toContain('SyntaxError');

  expect(client.circuit).toBe('open');
});

it.each([
  [422, { outcome: 'REJECTED', upstreamMessage: 'no stock', details: [] }],
  [500, { outcome: 'UNKNOWN', upstreamMessage: undefined, details: [] }],
])('the reason of a %i is read by the function given, of a verdict only', async (status, error) => {
  const { client, field } = await begin(answerJson({ why: 'no stock' }, status), {
    ...signed,
    readRejection: (_, body) => ({ upstreamMessage: JSON.parse(body.toString()).why, details: [] }),
  });

  await expect(field.write(write)).rejects.toMatchObject(error);
  await client.close();
});

it.each<[what: string, head: string, made: string]>([
  ['a 204', toHead('204 No Content'), 'success'],
  ['a 200 with an object', toHead('200 OK', ['content-length: 2'], '{}'), 'success'],
  ['an empty 200', toHead('200 OK', ['content-length: 0']), 'UNKNOWN'],
  ['an empty 201', toHead('201 Created', ['content-length: 0']), 'UNKNOWN'],
  [
    'a page',
    toHead('200 OK', ['content-type: text/html', 'content-length: 6'], '<html>'),
    'UNKNOWN',
  ],
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
        .openLedger({})
        .beginStep('order', true)
        .write(call)
        .then(
          () => 'success',
          (error: unknown) => (error instanceof RestError ? error.outcome : error),
        );

    expect([await write(), await write()]).toEqual([made, made]);
    expect(api.calls).toHaveLength(1);
  },
);

it.each([
  ['{"id":12', undefined],
  ['{"id":12,', '12'],
])('an id that is a number is known of %s only if it is whole', async (body, id) => {
  const answer = toHead('201 Created', ['content-length: 99'], body);
  const { client, operation, field } = await begin((_, __, { socket }) => socket.end(answer), {});
  const numbered = { readId: (made: { id?: unknown }) => made.id?.toString() };

  const writing = field.write({ ...write, method: 'POST', entity: numbered });
  await expect(writing).rejects.toBeInstanceOf(RestError);

  expect(operation.outcomeOf('order')).toMatchObject({ outcome: 'APPLIED', id });
  await client.close();
});
