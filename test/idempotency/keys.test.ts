import { hash } from 'node:crypto';
import { describe, expect, it, vi } from 'vitest';
import { startStudyApi, answerJson } from '../support/study-api.js';
import { startTestGateway } from '../support/gateway.js';
import { wholeStudy } from '../support/studies.js';
import {
  createStudy,
  editStudy,
  newKey,
  toExtensions,
  toRunKeyed,
  useStores,
  withVariables,
  writes,
  type Told,
} from '../support/keyed.js';

vi.setConfig({ testTimeout: 20_000 });

const otherInput = { input: { description: 'Else' } };
const otherId = { id: '00000000-0000-0000-0000-000000000000' };

const reused = {
  message: 'The idempotency key was used before, with other arguments. Nothing was sent.',
  extensions: {
    code: 'BAD_USER_INPUT',
    reason: 'IDEMPOTENCY_KEY_REUSED',
    outcome: 'NOT_SENT',
    retryable: false,
  },
};

function toErrors({ errors = [] }: Told): object[] {
  return errors.map(({ message, extensions }) => ({ message, extensions }));
}

describe.each(useStores())('with the keys in $store', ({ startPlaces }) => {
  it.each([
    { what: 'another input of createStudy', operation: createStudy, other: otherInput },
    { what: 'another input of editStudy', operation: editStudy, other: otherInput },
    { what: 'another study', operation: editStudy, other: otherId },
    { what: 'another mutation', operation: createStudy, next: editStudy },
  ])('refuses a key for $what, and keeps its first answer', async (given) => {
    const { operation, next = operation, other = {} } = given;
    const { url, calls } = await startStudyApi(answerJson(wholeStudy));
    const { here, there } = await startPlaces({ studyApiUrl: url });
    const key = newKey();

    const original = await here(operation, key);
    const misuses = [
      await here(withVariables(next, other), key),
      await there(withVariables(next, other), key),
    ];

    expect(misuses.map(toErrors)).toEqual([[reused], [reused]]);
    expect(await there(operation, key)).toEqual(original);
    expect(calls.map(({ method }) => method)).toEqual([operation.request.split(' ')[0], 'GET']);
  });

  it('refuses a key for another input while the first call is under way', async () => {
    const arrival = Promise.withResolvers<() => void>();
    const { url, calls } = await startStudyApi((...args) =>
      arrival.resolve(() => answerJson(wholeStudy)(...args)),
    );
    const { here, there } = await startPlaces({ studyApiUrl: url });
    const key = newKey();
    const original = here(createStudy, key);
    const answer = await arrival.promise;

    const misuses = [
      await here(withVariables(createStudy, otherInput), key),
      await there(withVariables(createStudy, otherInput), key),
    ];
    answer();

    expect(misuses.map(toErrors)).toEqual([[reused], [reused]]);
    expect(await original).toMatchObject({ data: { createStudy: { id: wholeStudy.id } } });
    expect(calls).toHaveLength(1);
  });

  it('treats the same key of another caller in service mode as a different key', async () => {
    const { url, calls } = await startStudyApi(answerJson(wholeStudy));
    const names = ['anna', 'ben', 'cleo'];
    const { here, there } = await startPlaces({
      studyApiUrl: url,
      authMode: 'service',
      studyApiToken: 'service-token',
      apiKeys: names.map((name) => ({ name, sha256: hash('sha256', name), mayWrite: true })),
    });
    const [anna, ben, cleo] = names.map((name) => ({ authorization: `Bearer ${name}` }));
    const key = newKey();

    await here(createStudy, key, anna);
    await there(createStudy, key, ben);
    await there(withVariables(createStudy, otherInput), key, cleo);
    await there(createStudy, key, anna);

    expect(calls.map(({ method }) => method)).toEqual(['POST', 'POST', 'POST', 'GET']);
  });

  it('makes a separate call for the same arguments without a key or with another key', async () => {
    const { url, calls } = await startStudyApi(answerJson(wholeStudy));
    const { here } = await startPlaces({ studyApiUrl: url });

    await Promise.all([null, null, newKey(), newKey()].map((key) => here(createStudy, key)));

    expect(calls).toHaveLength(4);
  });

  it('makes the call anew when the key has expired', async () => {
    const { url, calls } = await startStudyApi(answerJson(wholeStudy));
    const { here, there } = await startPlaces({
      studyApiUrl: url,
      ttlMs: 500,
    });
    const key = newKey();
    const repeat = async (): Promise<number> => {
      await there(createStudy, key);
      return calls.filter(({ method }) => method === 'POST').length;
    };

    await here(createStudy, key);

    expect(await repeat()).toBe(1);
    await expect.poll(repeat).toBe(2);
  });
});

it('makes one call for two fields of one operation with the same key', async () => {
  const gateway = await startTestGateway();
  const field = `createStudy(input: { description: "Why?" }, idempotencyKey: "${newKey()}") { id }`;

  const study = { id: wholeStudy.id };
  expect(await gateway.graphql(`mutation { a: ${field} b: ${field} }`)).toEqual({
    data: { a: study, b: study },
  });
  expect(gateway.calls.map(({ method }) => method)).toEqual(['POST', 'GET']);
});

it('does not know the keys in the memory of a process that has ended', async () => {
  const { url, calls } = await startStudyApi(answerJson(wholeStudy));
  const key = newKey();

  for (const gateway of [{ studyApiUrl: url }, { studyApiUrl: url }])
    await toRunKeyed(await startTestGateway(gateway))(createStudy, key);

  expect(calls).toHaveLength(2);
});

it.each(writes)('sends the key of $field to the Study API in lower case', async (operation) => {
  const gateway = await startTestGateway();
  const key = newKey().toUpperCase();

  await toRunKeyed(gateway)(operation, key);
  await toRunKeyed(gateway)(operation, null);

  expect(gateway.calls.map(({ headers }) => headers['idempotency-key'])).toEqual([
    key.toLowerCase(),
    undefined,
  ]);
});

it('takes a key in upper and in lower case for one key', async () => {
  const gateway = await startTestGateway();
  const key = newKey();

  await toRunKeyed(gateway)(createStudy, key.toUpperCase());
  await toRunKeyed(gateway)(createStudy, key);

  expect(gateway.calls.map(({ method }) => method)).toEqual(['POST', 'GET']);
});

it.each(['', 'order-1', newKey().slice(1), `${newKey()}0`, `{${newKey()}}`, 'x'.repeat(36)])(
  'refuses the key %j with its path, because it is no UUID',
  async (key) => {
    const gateway = await startTestGateway();

    const told = await toRunKeyed(gateway)(createStudy, key);

    expect(toExtensions(told)).toMatchObject({
      code: 'BAD_USER_INPUT',
      outcome: 'NOT_SENT',
      retryable: false,
      fieldErrors: [{ path: ['idempotencyKey'], message: expect.stringContaining('UUID') }],
    });
    expect(gateway.calls).toEqual([]);
    expect(gateway.log.filter(({ level }) => Number(level) >= 40)).toEqual([]);
  },
);

it('requires a token before it looks up the key', async () => {
  const gateway = await startTestGateway();

  const told = await toRunKeyed(gateway)(createStudy, newKey(), { authorization: '' });

  expect(toExtensions(told)).toMatchObject({ code: 'UNAUTHENTICATED', outcome: 'NOT_SENT' });
});
