// @module-tag redis

import { expect, it, vi } from 'vitest';
import { startTestGateway } from '../support/gateway.js';
import { startStudyApi } from '../support/study-api.js';
import { createStudy, newKey, toExtensions, toRunKeyed, useRedis } from '../support/keyed.js';

vi.setConfig({ testTimeout: 20_000 });

const redis = useRedis();

const DEADLINE_MS = 1_500;

/**
 * Starts two gateways. The first has sent a call, which `freeAfter` ends so that its key is free; the second waits for
 * this with `repeat`. The Study API never answers any other call.
 */
async function startWaiting() {
  const arrival = Promise.withResolvers<() => void>();
  const api = await startStudyApi((response) => {
    if (api.calls.length === 1) arrival.resolve(() => void response.writeHead(429).end());
  });
  const shared = {
    studyApiUrl: api.url,
    redisUrl: redis.server.url,
    deadlineMs: DEADLINE_MS,
  };
  const here = toRunKeyed(await startTestGateway({ ...shared, deadlineMs: 600_000 }));
  const gateway = await startTestGateway(shared);
  const key = newKey();
  void here(createStudy, key);
  const free = await arrival.promise;
  const startedAt = performance.now();
  const repeat = toRunKeyed(gateway)(createStudy, key).then((told) => ({
    told: toExtensions(told),
    ms: performance.now() - startedAt,
  }));
  /** Frees the key after this share of the repeat's deadline. */
  const freeAfter = (share: number): void => void setTimeout(free, share * DEADLINE_MS);
  return { api, repeat, freeAfter };
}

it('gives a call that has waited for another gateway only the rest of its deadline', async () => {
  const { api, repeat, freeAfter } = await startWaiting();
  freeAfter(0.5);

  const { told, ms } = await repeat;

  expect(told).toEqual({ code: 'UPSTREAM_TIMEOUT', outcome: 'UNKNOWN', retryable: false });
  expect(api.calls).toHaveLength(2);
  expect(ms).toBeGreaterThan(0.9 * DEADLINE_MS);
  // With a deadline of its own after the wait, it would take 1.5 of them.
  expect(ms).toBeLessThan(1.45 * DEADLINE_MS);
});
