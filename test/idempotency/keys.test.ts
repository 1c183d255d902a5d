import { expect, it } from 'vitest';
import { startTestGateway } from '../support/gateway.js';
import { wholeStudy } from '../support/studies.js';
import { createStudy, newKey, toRunKeyed, writes } from '../support/keyed.js';

it('makes a separate call for the same arguments without a key or with another key', async () => {
  const gateway = await startTestGateway();
  const runKeyed = toRunKeyed(gateway);

  await Promise.all([null, null, newKey(), newKey()].map((key) => runKeyed(createStudy, key)));

  expect(gateway.calls).toHaveLength(4);
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
