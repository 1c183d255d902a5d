import { expect, it, onTestFinished } from 'vitest';
import {
  createClient,
  idempotent,
  memoryStore,
  RestError,
  type ClientOptions,
  type Keys,
  type Write,
} from 'rest-outcome';
import { answerBytes, startRefusingUrl, toHead } from '../support/faults.js';
import { answerJson, startStudyApi, type Respond } from '../support/study-api.js';

interface Tenant {
  readonly tenant: string;
}
type Options = Partial<ClientOptions<Tenant>>;

const readId = ({ id }: { id?: unknown }) => (typeof id === 'string' ? id : undefined);
const write: Write = {
  method: 'POST',
  path: '/orders',
  template: '/orders',
  body: '{"count":1}',
  entity: { readId },
  key: 'order-1',
};

/** Begins an operation of a client for an API of orders at `url`. */
function begin(url: string | URL, options: Options = {}) {
  const client = createClient<Tenant>({ ...options, baseUrl: url });
  onTestFinished(() => client.close());
  return { client, operation: client.openLedger({ tenant: 'blue' }) };
}

/** Sends a write, and returns its error. */
async function fail(url: string, options: Options, given = write) {
  const { operation } = begin(url, options);
  const error: unknown = await operation
    .beginStep('order', true)
    .write(given)
    .catch((error: unknown) => error);
  return { error, ...operation.outcomeOf('order') };
}

it('a call has the headers of its source and no others of a caller, by any method', async () => {
  const { url, calls } = await startStudyApi(answerJson({ id: 'a' }));
  const { operation } = begin(new URL(`${url}/v1/`), {
    headers: async ({ path }, { tenant }) => ({ 'x-api-key': `${tenant} ${path}` }),
  });
  const step = operation.beginStep('order', true);

  await step.write({ ...write, method: 'REPORT', entity: { readId, isAskedFor: () => true } });
  await step.read({ path: '/orders?page=1', template: '/orders' });

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
      url: '/v1/orders',
      headers: { ...own, ...sent, 'idempotency-key': 'order-1', 'x-api-key': 'blue /orders' },
      body: '{"count":1}',
    },
    {
      method: 'GET',
      url: '/v1/orders?page=1',
      headers: { ...own, 'x-api-key': 'blue /orders?page=1' },
      body: '',
    },
  ]);
  const outcome = { outcome: 'APPLIED', id: 'a', noun: 'thing', isRepeatable: false };
  expect(operation.outcomeOf('order')).toEqual(outcome);
});

const defect = new TypeError('no credentials');
const reject = () => Promise.reject(defect);

it.each<[what: string, Options]>([
  [
    'headers throw',
    {
      headers: () => {
        throw defect;
      },
    },
  ],
  ['headers reject', { headers: reject }],
  ['caller of its key rejects', { keys: idempotent(memoryStore(), { by: reject }) }],
  ['scope of its key rejects', { keys: idempotent(memoryStore(), { scope: reject }) }],
])('a write is NOT_SENT when the %s', async (_, options) => {
  const { url, calls } = await startStudyApi(answerJson({ id: 'a' }));

  expect(await fail(url, options)).toMatchObject({ error: defect, outcome: 'NOT_SENT' });
  expect(calls).toEqual([]);
});

it('a probe that ends in a defect does not close the circuit', async () => {
  let status = 503;
  const { url } = await startStudyApi((...call) => answerJson({}, status)(...call));
  const { client } = begin(url, { circuitOpenMs: 1, readRejection: () => JSON.parse('') });
  const send = () => client.openLedger({ tenant: '' }).beginStep('order', true).write(write);
  for (let calls = 0; calls < 20; calls += 1) await expect(send()).rejects.toThrow(RestError);
  expect(client.circuit).toBe('open');
  status = 422;

  // The first one is refused if the circuit is not yet half-open.
  await expect.poll(() => send().catch(String), { interval: 2 }).toContain('SyntaxError');

  expect(client.circuit).toBe('open');
});

it.each<[what: string, outcome: string, head: string]>([
  ['a 204', 'APPLIED', toHead('204 No Content')],
  ['a 200 with an object', 'APPLIED', toHead('200 OK', ['content-length: 2'], '{}')],
  ['an empty 200', 'UNKNOWN', toHead('200 OK', ['content-length: 0'])],
  ['an empty 201', 'UNKNOWN', toHead('201 Created', ['content-length: 0'])],
  ['a page', 'UNKNOWN', toHead('200 OK', ['content-length: 6'], '<html>')],
  ['a 200 with a list', 'UNKNOWN', toHead('200 OK', ['content-length: 2'], '[]')],
])('a write without an entity is after %s %s, and so is its repeat', async (_, outcome, head) => {
  const api = await startStudyApi((__, ___, { socket }) => void socket.end(head));
  const { client } = begin(api.url, { keys: idempotent(memoryStore()) });
  const call = { method: 'DELETE', path: '/orders/1', template: '/orders/{id}', key: 'order-1' };

  for (let times = 0; times < 2; times += 1) {
    const operation = client.openLedger({ tenant: '' });
    await operation
      .beginStep('order', true)
      .write(call)
      .catch(() => {});
    expect(operation.outcomeOf('order')).toMatchObject({ outcome });
  }
  expect(api.calls).toHaveLength(1);
});

it.each([
  ['{"id":12', undefined],
  ['{"id":12,', '12'],
])('an id that is a number is known of %s only if it is whole', async (body, id) => {
  const answer = toHead('201 Created', ['content-length: 99'], body);
  const { url } = await startStudyApi((_, __, { socket }) => void socket.end(answer));
  const numbered = { readId: (made: { id?: unknown }) => made.id?.toString() };

  const { error, ...outcome } = await fail(url, {}, { ...write, entity: numbered });

  expect(error).toBeInstanceOf(RestError);
  expect(outcome).toMatchObject({ outcome: 'APPLIED', id });
});

/** Keys that send each write twice, as a careless retry would. */
const twice: Keys<Tenant> = { send: ({ send }) => send().then(send, send), close: async () => {} };

it.each<[string, Respond, object]>([
  ['an answer', answerBytes('{"id":"a"}'), { outcome: 'APPLIED', id: 'a' }],
  ['a refusal', answerBytes('{}', {}, 422), { outcome: 'REJECTED' }],
  ['a lost verdict', answerBytes('{}', {}, 500), { outcome: 'UNKNOWN' }],
])('no level sends a write again after %s', async (_, api, outcome) => {
  const { url, calls } = await startStudyApi(api);

  const { error, ...seen } = await fail(url, { keys: twice });

  expect(String(error)).toContain('must not be sent again');
  expect(seen).toMatchObject(outcome);
  expect(calls).toHaveLength(1);
});

it('a write that is proved not sent may be sent again', async () => {
  const { error, outcome } = await fail(await startRefusingUrl(), { keys: twice });

  expect([String(error), outcome]).toEqual([expect.stringContaining('no connection'), 'NOT_SENT']);
});

it.each(['PATCH', 'PUT', 'DELETE'])(
  'a %s says how the id of its thing is recognized, or an answer with another id would be believed',
  async (method) => {
    const { url, calls } = await startStudyApi(answerJson({ id: 'b' }));
    const isAskedFor = (id: string): boolean => id === 'a';

    const { error } = await fail(url, {}, { ...write, method });
    const known = await fail(url, {}, { ...write, method, entity: { readId, isAskedFor } });

    expect(String(error)).toContain('isAskedFor is missing');
    expect(known).toMatchObject({ outcome: 'UNKNOWN' });
    expect(calls).toHaveLength(1);
  },
);

it('a step writes once, only while it runs, and only if it may', async () => {
  const { url, calls } = await startStudyApi(answerJson({ id: 'a' }));
  const { operation } = begin(url);
  const reading = operation.beginStep('look', false);
  await expect(reading.write(write)).rejects.toThrow('only reads');
  const earlier = operation.beginStep('order', true);
  const later = operation.beginStep('order again', true);
  await expect(earlier.write(write)).rejects.toThrow('the step has ended');

  await later.write(write);

  await expect(later.write(write)).rejects.toThrow('must not send another one');
  await operation.beginStep('another', true).write(write);
  operation.end();
  await expect(operation.beginStep('tip', true).write(write)).rejects.toThrow('the step has ended');
  expect(calls).toHaveLength(2);
  expect(operation.outcomeOf('order')).toMatchObject({ outcome: 'NOT_SENT' });
  expect(operation.outcomeOf()).toMatchObject({ outcome: 'APPLIED' });
});
