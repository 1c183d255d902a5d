import { hash } from 'node:crypto';
import { expect, it } from 'vitest';
import { startTestGateway, type TestGatewayOptions } from '../support/gateway.js';
import { answerJson, startStudyApi, type TestStudyApi } from '../support/study-api.js';
import { wholeStudy } from '../support/studies.js';
import { createStudy, newKey, toRunKeyed } from '../support/keyed.js';

const asService = {
  authMode: 'service',
  studyApiToken: 'service-token',
  apiKeys: ['anna', 'ben'].map((name) => ({ name, sha256: hash('sha256', name), mayWrite: true })),
} satisfies TestGatewayOptions;
const anna = { authorization: 'Bearer anna' };
const ben = { authorization: 'Bearer ben' };

/** Starts a Study API that creates one study for each pair of token and `Idempotency-Key`, and repeats this study. */
function startHonouringApi(): Promise<TestStudyApi> {
  const studies = new Map<string, object>();
  return startStudyApi((response, call, request) => {
    if (call.method === 'GET')
      return answerJson({ ...wholeStudy, id: call.url.slice(-36) })(response, call, request);
    const { authorization, 'idempotency-key': key } = call.headers;
    const place = JSON.stringify([authorization, key]);
    const id = `00000000-0000-4000-8000-${String(studies.size).padStart(12, '0')}`;
    const study = studies.get(place) ?? { ...wholeStudy, id };
    studies.set(place, study);
    answerJson(study)(response, call, request);
  });
}

const toKeys = ({ calls }: TestStudyApi): unknown[] =>
  calls.map(({ headers }) => headers['idempotency-key']);

it('sends in service mode a hash of 43 characters, which is the same for the same caller and key', async () => {
  const api = await startHonouringApi();
  // Runs each call at a new gateway, which remembers no keys, so that only the Study API can recognize the key.
  const runAgain: typeof run = async (...args) => {
    const gateway = await startTestGateway({ ...asService, studyApiUrl: api.url });
    return toRunKeyed(gateway)(...args);
  };
  const run = toRunKeyed(await startTestGateway({ ...asService, studyApiUrl: api.url }));

  const key = newKey();
  await run(createStudy, key, anna);
  await runAgain(createStudy, key, anna);
  await run(createStudy, newKey(), anna);
  await run(createStudy, key, ben);

  const [first, again, ...others] = toKeys(api);
  expect(toKeys(api)).toEqual(Array(4).fill(expect.stringMatching(/^[\w-]{43}$/)));
  expect(again).toBe(first);
  expect(new Set([first, ...others]).size).toBe(3);
});

it('sends a key unchanged with the token of the caller', async () => {
  const api = await startHonouringApi();
  const run = toRunKeyed(await startTestGateway({ studyApiUrl: api.url }));
  const keys = [newKey(), newKey()] as const;

  await run(createStudy, keys[0], anna);
  await run(createStudy, keys[1], ben);

  expect(toKeys(api)).toEqual(keys);
});
