import { expect, it, describe, vi } from 'vitest';
import { startHoldingApi } from '../support/held-calls.js';
import { startTestGateway } from '../support/gateway.js';
import { wholeStudy } from '../support/studies.js';
import { createStudy, newKey, toRunKeyed, useRedis, useStores } from '../support/keyed.js';

vi.setConfig({ testTimeout: 20_000 });

const stores = useStores();
const redis = useRedis();
const aStudy = { data: { createStudy: expect.objectContaining({ id: wholeStudy.id }) } };

describe.each(stores)('with the keys in $store', ({ store, startPlaces }) => {
  it('makes repeats wait for the first call, and gives them the answer of this call', async () => {
    const api = await startHoldingApi();
    const { here, there } = await startPlaces({ studyApiUrl: api.url });
    const key = newKey();

    const first = here(createStudy, key);
    await api.holds(1);
    const repeats = Array.from({ length: 20 }, (_, index) =>
      (index % 2 ? here : there)(createStudy, key),
    );
    // By the time of these responses, a repeat that does not wait would have reached the Study API.
    await Promise.all(
      [here, there].map((run) => run({ ...createStudy, document: '{ __typename }' }, key)),
    );
    api.answerNext();
    expect(await first).toEqual(aStudy);
    if (store === 'Redis') {
      // The other gateway has waited: it reads the study once for all of its repeats.
      await api.holds(1);
      api.answerNext();
    }

    const answers = await Promise.all(repeats);
    expect(answers).toEqual(answers.map(() => aStudy));
    const gets = store === 'Redis' ? [`GET /studies/${wholeStudy.id}`] : [];
    expect(api.arrived).toEqual(['POST /studies', ...gets]);
  });
});

it('gives waiting repeats in the same process the rejection of the first call, even if it frees the key', async () => {
  const arrival = Promise.withResolvers<() => void>();
  const gateway = await startTestGateway({
    api: (response) => arrival.resolve(() => void response.writeHead(429).end()),
  });
  const runKeyed = toRunKeyed(gateway);
  const key = newKey();

  const first = runKeyed(createStudy, key);
  const answer = await arrival.promise;
  const repeat = runKeyed(createStudy, key);
  await gateway.graphql('{ __typename }');
  answer();

  expect(await repeat).toEqual(await first);
  expect(gateway.calls).toHaveLength(1);
});

it('does not use Redis when there is no key', { tags: ['redis'] }, async () => {
  const gateway = await startTestGateway({ redisUrl: redis.server.url });
  await redis.server.command('CONFIG', 'RESETSTAT');

  await toRunKeyed(gateway)(createStudy, null);
  await gateway.graphql(`{ study(id: "${wholeStudy.id}") { id } }`);

  expect(gateway.calls).toHaveLength(2);
  expect(await redis.server.command('INFO', 'commandstats')).not.toMatch(/cmdstat_hset/);
});
