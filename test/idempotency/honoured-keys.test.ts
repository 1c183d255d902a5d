import type { ServerResponse } from 'node:http';
import { describe, expect, it, vi } from 'vitest';
import { createClient, idempotent, memoryStore, type JsonObject } from 'rest-outcome';
import { assumed, type Contract } from 'study-gateway-contract';
import { toHead } from '../support/faults.js';
import { startTestGateway } from '../support/gateway.js';
import {
  createStudy,
  newKey,
  toExtensions,
  toMessageAndExtensions,
  toRunKeyed,
  useRedis,
  useStores,
  withVariables,
  writes,
} from '../support/keyed.js';
import { answerJson, startStudyApi } from '../support/study-api.js';
import { wholeStudy } from '../support/studies.js';

vi.setConfig({ testTimeout: 20_000 });

const stores = useStores();
const redis = useRedis();

const contract: Contract = { ...assumed, keys: { header: 'X-Once' } };

/** What the Study API does with one call. `store` stores a study, or finds the one that the key has stored. */
type Step = (response: ServerResponse, store: () => object) => void;

const send =
  (status: number, body: unknown = {}): Step =>
  (response) =>
    void response
      .writeHead(status, { 'content-type': 'application/json' })
      .end(JSON.stringify(body));
const honour: Step = (response, store) => send(201, store())(response, store);
const storeAndCut: Step = (response, store) => {
  store();
  response.destroy();
};
const cut: Step = (response) => void response.destroy();
const hang: Step = () => {};

/** Starts a Study API that honours the keys in `X-Once`: each call takes the next step, and later ones the last. */
async function startHonouringApi(...steps: [Step, ...Step[]]) {
  const stored = new Map<unknown, object>();
  const { url, calls } = await startStudyApi((response, { headers }) => {
    const key = headers['x-once'];
    const step = steps[Math.min(calls.length, steps.length) - 1]!;
    step(response, () => {
      const study = stored.get(key) ?? wholeStudy;
      stored.set(key, study);
      return study;
    });
  });
  return { url, calls, stored };
}

const isUnknown = expect.objectContaining({ outcome: 'UNKNOWN', retryable: false });

describe.each(stores)('with the keys in $store', ({ startPlaces }) => {
  it.each(writes)(
    'sends a repeat of $field on after UNKNOWN, and only the answer with the study settles it',
    async (write) => {
      const api = await startHonouringApi(storeAndCut, send(409), send(500), honour, cut);
      const { here, there } = await startPlaces({ studyApiUrl: api.url, contract });
      const key = newKey();

      const first = await here(write, key);
      const conflict = await there(write, key);
      const failed = await here(write, key);
      const settled = await there(write, key);
      const repeated = await here(write, key);

      expect(toExtensions(first)).toEqual(isUnknown);
      expect([conflict, failed]).toEqual([first, first]);
      expect(settled.data[write.field]).toMatchObject({ id: wholeStudy.id });
      expect(repeated).toEqual(settled);
      expect(api.stored.size).toBe(1);
      expect(new Set(api.calls.map(({ headers }) => headers['x-once'])).size).toBe(1);
      expect(api.calls).toHaveLength(4);
    },
  );

  it.each<[string, Step]>([
    ['400', send(400)],
    ['401', send(401)],
    ['404', send(404)],
    ['409', send(409)],
    ['422', send(422)],
    ['429', send(429)],
    ['303', send(303)],
    ['500', send(500)],
    ['503', send(503)],
    ['204', (response) => void response.writeHead(204).end()],
    ['201 without a study', send(201, { status: 'in progress' })],
    ['202 without a body', (response) => void response.writeHead(202).end()],
    ['no JSON', (response) => void response.writeHead(200).end('stored')],
    ['a lost connection', cut],
    [
      'a 201 that is cut before its id',
      (response) => void response.socket?.end(toHead('201 Created', ['content-length: 9'], '{')),
    ],
  ])('leaves a write UNKNOWN whose repeat gets %s', async (_, step) => {
    const api = await startHonouringApi(storeAndCut, step);
    const { here, there } = await startPlaces({ studyApiUrl: api.url, contract });
    const key = newKey();

    const first = await here(createStudy, key);
    const repeats = [await there(createStudy, key), await here(createStudy, key)];

    expect(toExtensions(first)).toEqual(isUnknown);
    expect(repeats).toEqual([first, first]);
    expect(api.calls).toHaveLength(3);
  });

  it('reports the study of an API that stores twice, and sends no more than its clients do', async () => {
    const stored: object[] = [];
    const { url, calls } = await startStudyApi((response, ...call) => {
      const id = `00000000-0000-4000-8000-${String(stored.length).padStart(12, '0')}`;
      stored.push({ ...wholeStudy, id });
      if (stored.length === 1) response.destroy();
      else answerJson(stored.at(-1))(response, ...call);
    });
    const { here, there } = await startPlaces({ studyApiUrl: url, contract });
    const key = newKey();

    const told = [
      await here(createStudy, key),
      await there(createStudy, key),
      await here(createStudy, key),
    ];

    expect(toExtensions(told[0]!)).toEqual(isUnknown);
    expect(told[1]?.data['createStudy']?.id).toMatch(/1$/);
    expect(told[2]).toEqual(told[1]);
    expect([stored.length, calls.length]).toEqual([2, 2]);
  });

  it('sends one of several repeats at once, and the others get its result', async () => {
    const release = Promise.withResolvers<void>();
    const slow: Step = (response, store) =>
      void release.promise.then(() => honour(response, store));
    const api = await startHonouringApi(storeAndCut, slow, cut);
    const { here, there } = await startPlaces({ studyApiUrl: api.url, contract });
    const key = newKey();
    await here(createStudy, key);

    const repeats = Array.from({ length: 10 }, (_, index) =>
      (index % 2 ? here : there)(createStudy, key),
    );
    await expect.poll(() => api.calls, { interval: 5 }).toHaveLength(2);
    release.resolve();

    const [first, ...others] = await Promise.all(repeats);
    expect(first?.data['createStudy']).toMatchObject({ id: wholeStudy.id });
    for (const other of others) expect(other).toEqual(first);
    expect(api.calls).toHaveLength(2);
  });

  it('sends none of the repeats that waited for one that settled nothing', async () => {
    const release = Promise.withResolvers<void>();
    const slow: Step = (response, store) =>
      void release.promise.then(() => send(409)(response, store));
    const api = await startHonouringApi(storeAndCut, slow, honour);
    const { here, there } = await startPlaces({ studyApiUrl: api.url, contract });
    const key = newKey();
    const first = await here(createStudy, key);

    const repeats = [here(createStudy, key), there(createStudy, key)];
    await expect.poll(() => api.calls, { interval: 5 }).toHaveLength(2);
    // By the time of these responses, the other repeat waits.
    await Promise.all(
      [here, there].map((run) => run({ ...createStudy, document: '{ __typename }' }, key)),
    );
    release.resolve();

    expect(await Promise.all(repeats)).toEqual([first, first]);
    expect(api.calls).toHaveLength(2);
  });

  it('sends on no repeat that waited for the first call', async () => {
    const release = Promise.withResolvers<void>();
    const slow: Step = (response, store) =>
      void release.promise.then(() => storeAndCut(response, store));
    const api = await startHonouringApi(slow, honour);
    const { here, there } = await startPlaces({ studyApiUrl: api.url, contract });
    const key = newKey();

    const first = here(createStudy, key);
    await expect.poll(() => api.calls, { interval: 5 }).toHaveLength(1);
    const repeats = [here(createStudy, key), there(createStudy, key)];
    await Promise.all(
      [here, there].map((run) => run({ ...createStudy, document: '{ __typename }' }, key)),
    );
    release.resolve();

    expect(toExtensions(await first)).toEqual(isUnknown);
    expect(await Promise.all(repeats)).toEqual([await first, await first]);
    expect(api.calls).toHaveLength(1);
  });

  it('refuses another input, and sends no repeat of a verdict', async () => {
    const api = await startHonouringApi(storeAndCut, send(422), honour);
    const { here, there } = await startPlaces({ studyApiUrl: api.url, contract });
    const [key, rejected] = [newKey(), newKey()];
    await here(createStudy, key);
    const refusal = await here(createStudy, rejected);

    const reused = await there(withVariables(createStudy, { input: { description: 'Else' } }), key);

    expect(toExtensions(reused)).toMatchObject({
      outcome: 'NOT_SENT',
      reason: 'IDEMPOTENCY_KEY_REUSED',
    });
    expect(toExtensions(refusal)).toMatchObject({ outcome: 'REJECTED' });
    expect(await there(createStudy, rejected)).toEqual(refusal);
    expect(api.calls).toHaveLength(2);
  });

  it('ends a repeat at its deadline, and sends the next one', async () => {
    const api = await startHonouringApi(storeAndCut, hang, honour);
    const { here, there } = await startPlaces({ studyApiUrl: api.url, contract, deadlineMs: 300 });
    const key = newKey();

    const first = await here(createStudy, key);
    const late = await there(createStudy, key);
    const settled = await here(createStudy, key);

    expect(late).toEqual(first);
    expect(settled.data['createStudy']).toMatchObject({ id: wholeStudy.id });
    expect(api.calls).toHaveLength(3);
  });

  it('reports APPLIED for a repeat whose answer is cut after the id, and keeps that', async () => {
    const begin = `{"id":"${wholeStudy.id}",`;
    const half: Step = (response) =>
      void response.socket?.end(toHead('201 Created', ['content-length: 99'], begin));
    const api = await startHonouringApi(storeAndCut, half, cut);
    const { here, there } = await startPlaces({ studyApiUrl: api.url, contract });
    const key = newKey();
    await here(createStudy, key);

    const told = [await there(createStudy, key), await here(createStudy, key)];

    const applied = expect.objectContaining({ outcome: 'APPLIED', studyId: wholeStudy.id });
    expect(told.map(toExtensions)).toEqual([applied, applied]);
    expect(api.calls).toHaveLength(2);
  });
});

it('leaves a write UNKNOWN whose repeat is not sent, because the circuit is open', async () => {
  const api = await startHonouringApi(storeAndCut, cut);
  const gateway = await startTestGateway({ studyApiUrl: api.url, contract });
  const run = toRunKeyed(gateway);
  const key = newKey();
  const first = await run(createStudy, key);
  for (let failures = 0; failures < 50; failures += 1) await run(createStudy, null);
  const sent = api.calls.length;

  expect(toExtensions(await run(createStudy, null))).toMatchObject({ outcome: 'NOT_SENT' });
  expect(await run(createStudy, key)).toEqual(first);
  expect(api.calls).toHaveLength(sent);
});

it('is UNKNOWN in the ledger of the repeat, whatever its own attempt was told', async () => {
  const { url } = await startHonouringApi(cut, send(409), send(201, { id: 'a' }));
  const client = createClient({
    baseUrl: url,
    wrap: [idempotent(memoryStore(), { isHonoured: true })],
  });
  const readId = ({ id }: JsonObject) => (typeof id === 'string' ? id : undefined);
  const order = {
    method: 'POST',
    path: '/orders',
    template: '/orders',
    key: newKey(),
    entity: { readId },
  } as const;
  const write = async () => {
    const operation = client.begin({});
    await operation.write('order', order).catch(() => {});
    return operation.toTruth('order');
  };

  const truths = [await write(), await write(), await write()];
  await client.close();

  const unknown = { outcome: 'UNKNOWN', id: undefined, noun: 'thing', isRepeatable: false };
  expect(truths).toEqual([unknown, unknown, { ...unknown, outcome: 'APPLIED', id: 'a' }]);
});

describe('in Redis', { tags: ['redis'] }, () => {
  /** Returns the only key, and its members. */
  async function readKey() {
    const [name = ''] = (await redis.server.command('KEYS', '*')) as string[];
    const [fingerprint, record] = (await redis.server.command(
      'HMGET',
      name,
      'fingerprint',
      'record',
    )) as string[];
    return {
      name,
      fingerprint,
      record,
      hours: Number(await redis.server.command('PTTL', name)) / 3_600_000,
    };
  }

  it('a repeat that settles nothing leaves the record as it was, with its expiry', async () => {
    const api = await startHonouringApi(storeAndCut, send(409));
    const gateway = await startTestGateway({
      studyApiUrl: api.url,
      contract,
      redisUrl: redis.server.url,
    });
    await redis.server.command('FLUSHALL');
    const run = toRunKeyed(gateway);
    const key = newKey();
    await run(createStudy, key);
    const { name, ...before } = await readKey();
    await redis.server.command('PEXPIRE', name, '3600000');

    await run(createStudy, key);

    expect(await readKey()).toEqual({ ...before, name, hours: expect.closeTo(1, 1) });
    expect(before.record).toBe('{"ending":"connection lost"}');
  });

  it('a repeat of a call whose gateway died is sent on after its lease', async () => {
    const api = await startHonouringApi(storeAndCut, send(409), honour, cut);
    const gateway = await startTestGateway({
      studyApiUrl: api.url,
      contract,
      redisUrl: redis.server.url,
    });
    await redis.server.command('FLUSHALL');
    const run = toRunKeyed(gateway);
    const key = newKey();
    await run(createStudy, key);
    // As a gateway leaves a key that died during the call.
    const { name } = await readKey();
    await redis.server.command('HDEL', name, 'record');
    await redis.server.command('HSET', name, 'leaseUntil', '1');

    const conflict = await run(createStudy, key);
    const unsettled = await readKey();
    const settled = await run(createStudy, key);

    expect(toMessageAndExtensions(conflict)).toMatchObject({
      message: expect.stringContaining('has left no result'),
      outcome: 'UNKNOWN',
    });
    expect(unsettled.record).toBe('{"ending":"unknown"}');
    expect(settled.data['createStudy']).toMatchObject({ id: wholeStudy.id });
    expect(await run(createStudy, key)).toEqual(settled);
    expect(api.calls).toHaveLength(3);
  });

  it('a repeat is UNKNOWN while Redis cannot be written', async () => {
    const api = await startHonouringApi(storeAndCut, honour);
    const gateway = await startTestGateway({
      studyApiUrl: api.url,
      contract,
      redisUrl: redis.server.url,
    });
    const run = toRunKeyed(gateway);
    const key = newKey();
    await redis.server.command('FLUSHALL');
    await run(createStudy, key);
    // Redis can be read, and cannot be written.
    await redis.server.command('CONFIG', 'SET', 'maxmemory', '1');

    const told = await run(createStudy, key);
    await redis.server.command('CONFIG', 'SET', 'maxmemory', '0');

    expect(toExtensions(told)).toMatchObject({ outcome: 'UNKNOWN' });
    expect((await run(createStudy, key)).data['createStudy']).toMatchObject({ id: wholeStudy.id });
    expect(api.calls).toHaveLength(2);
  });
});
