import { expect, it, describe, vi } from 'vitest';
import { startHoldingApi } from '../support/held-calls.js';
import { startTestGateway } from '../support/gateway.js';
import { wholeStudy } from '../support/studies.js';
import {
  createStudy,
  newKey,
  toRunKeyed,
  useRedis,
  useStores,
  toMessageAndExtensions,
} from '../support/keyed.js';

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

/** Starts two gateways. The first has sent a call; the second waits for its end with `repeat`. */
async function startWaiting() {
  const api = await startHoldingApi();
  const shared = { studyApiUrl: api.url, redisUrl: redis.server.url };
  const here = toRunKeyed(await startTestGateway(shared));
  const there = toRunKeyed(await startTestGateway(shared));
  const key = newKey();
  await redis.server.command('FLUSHALL');
  const first = here(createStudy, key);
  await api.holds(1);
  await redis.server.command('CONFIG', 'RESETSTAT');
  const repeat = there(createStudy, key);
  // The repeat has seen that the first call is under way.
  await expect
    .poll(() => redis.server.command('INFO', 'commandstats'), { interval: 5 })
    .toMatch(/cmdstat_hmget:calls=[2-9]/);
  return { api, here, key, first, repeat };
}

it(
  'reports UNKNOWN if Redis loses the key for whose end a repeat waits, and the key is used for other arguments',
  { tags: ['redis'] },
  async () => {
    const { api, first, repeat } = await startWaiting();

    const [name = ''] = (await redis.server.command('KEYS', '*')) as string[];
    await redis.server.command('HSET', name, 'owner', 'x', 'fingerprint', 'other');

    expect(toMessageAndExtensions(await repeat)).toEqual(unsettled);
    api.answerNext();
    await first;
    expect(api.arrived).toEqual(['POST /studies']);
  },
);

const unsettled = {
  message:
    'What became of the first call with this idempotency key is not known. ' +
    'Whether the change was made is not known: check before repeating it.',
  code: 'UPSTREAM_TIMEOUT',
  outcome: 'UNKNOWN',
  retryable: false,
};

it(
  'stores keys in Redis as hashes for 48 hours, without tokens, keys, input or answers',
  { tags: ['redis'] },
  async () => {
    const gateway = await startTestGateway({ redisUrl: redis.server.url });
    await redis.server.command('FLUSHALL');
    const key = newKey();

    await toRunKeyed(gateway)(createStudy, key);

    const [name = '', ...others] = (await redis.server.command('KEYS', '*')) as string[];
    expect([name, others]).toEqual([
      expect.stringMatching(/^study-gateway:idempotency:[\w-]{43}$/),
      [],
    ]);
    const hours = Number(await redis.server.command('PTTL', name)) / 3_600_000;
    expect(hours).toBeGreaterThan(47.9);
    expect(hours).toBeLessThanOrEqual(48);
    const record = JSON.stringify(await redis.server.command('HGETALL', name));
    for (const secret of [key, 'test-token', '"Why?"', wholeStudy.description])
      expect(record).not.toContain(secret);
  },
);

it('does not use Redis when there is no key', { tags: ['redis'] }, async () => {
  const gateway = await startTestGateway({ redisUrl: redis.server.url });
  await redis.server.command('CONFIG', 'RESETSTAT');

  await toRunKeyed(gateway)(createStudy, null);
  await gateway.graphql(`{ study(id: "${wholeStudy.id}") { id } }`);

  expect(gateway.calls).toHaveLength(2);
  expect(await redis.server.command('INFO', 'commandstats')).not.toMatch(/cmdstat_hset/);
});
