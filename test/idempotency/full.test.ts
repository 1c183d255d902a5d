import { expect, it, vi } from 'vitest';
import { startTestGateway } from '../support/gateway.js';
import { answerJson } from '../support/study-api.js';
import { wholeStudy } from '../support/studies.js';
import { createStudy, newKey, toRunKeyed } from '../support/keyed.js';

vi.setConfig({ testTimeout: 20_000 });

const refused = {
  data: { createStudy: null },
  errors: [
    {
      message: 'The gateway cannot hold idempotency keys at the moment. Nothing was sent.',
      locations: [{ line: 2, column: 3 }],
      path: ['createStudy'],
      extensions: {
        code: 'OVERLOADED',
        outcome: 'NOT_SENT',
        retryable: true,
      },
    },
  ],
};
const aStudy = { data: { createStudy: expect.objectContaining({ id: wholeStudy.id }) } };
it('refuses a key over the maximum number in memory, and serves everything else', async () => {
  const gateway = await startTestGateway({ maxKeys: 2 });
  const runKeyed = toRunKeyed(gateway);
  const [first, second, third] = [newKey(), newKey(), newKey()];
  await runKeyed(createStudy, first);
  await runKeyed(createStudy, second);

  expect(await runKeyed(createStudy, third)).toEqual(refused);
  expect(await runKeyed(createStudy, first)).toEqual(aStudy);
  expect(await runKeyed(createStudy, null)).toEqual(aStudy);
  expect(gateway.calls.map(({ method }) => method)).toEqual(['POST', 'POST', 'GET', 'POST']);
});

it('accepts new keys in memory again when keys are freed', async () => {
  let status = 429;
  const gateway = await startTestGateway({
    maxKeys: 1,
    api: (...args) => answerJson(wholeStudy, status)(...args),
  });
  const runKeyed = toRunKeyed(gateway);
  await runKeyed(createStudy, newKey());
  status = 200;

  expect(await runKeyed(createStudy, newKey())).toEqual(aStudy);
});

it('accepts new keys in memory again when keys expire', async () => {
  const gateway = await startTestGateway({
    maxKeys: 1,
    ttlMs: 500,
  });
  const runKeyed = toRunKeyed(gateway);
  await runKeyed(createStudy, newKey());

  expect(await runKeyed(createStudy, newKey())).toEqual(refused);
  await expect.poll(() => runKeyed(createStudy, newKey())).toEqual(aStudy);
});
