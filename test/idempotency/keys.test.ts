import { describe, expect, it, vi } from 'vitest';
import { startStudyApi, answerJson } from '../support/study-api.js';
import { startTestGateway } from '../support/gateway.js';
import { wholeStudy } from '../support/studies.js';
import {
  createStudy,
  newKey,
  toExtensions,
  toRunKeyed,
  useStores,
  writes,
} from '../support/keyed.js';

vi.setConfig({ testTimeout: 20_000 });

describe.each(useStores())('with the keys in $store', ({ startPlaces }) => {
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
      ttlMs: 1_500,
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

it.each(writes)(
  'takes the key of $field for one in either case, and sends it in lower case',
  async (operation) => {
    const gateway = await startTestGateway();
    const key = newKey().toUpperCase();

    await toRunKeyed(gateway)(operation, key);
    await toRunKeyed(gateway)(operation, key.toLowerCase());
    await toRunKeyed(gateway)(operation, null);

    expect(
      gateway.calls.map(({ method, headers }) => [method, headers['idempotency-key']]),
    ).toEqual([
      [expect.any(String), key.toLowerCase()],
      ['GET', undefined],
      [expect.any(String), undefined],
    ]);
  },
);

it.each(['order-1', `${newKey()}0`])(
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
