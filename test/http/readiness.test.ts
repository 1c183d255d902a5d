// @module-tag redis

import { expect, it, onTestFinished, vi } from 'vitest';
import { startTestGateway, type TestGateway } from '../support/gateway.js';
import { startIssuer } from '../support/issuer.js';
import { createRedisServer } from '../support/redis.js';
import { wholeStudy } from '../support/studies.js';

vi.setConfig({ testTimeout: 20_000 });

const COOLDOWN_MS = 5_000;
const closed = { studyApi: { circuit: 'closed' } };

async function readReady({ url }: TestGateway): Promise<object> {
  const response = await fetch(`${url}/health/ready`);
  const body = (await response.json()) as object;
  return { code: response.status, ...body };
}

it('is not ready before the keys of the issuer have arrived, and stays ready when the issuer is away', async () => {
  vi.useFakeTimers({ toFake: ['Date', 'performance'] });
  onTestFinished(() => void vi.useRealTimers());
  const issuer = await startIssuer();
  issuer.answerWith((_, response) => response.writeHead(503).end());
  const gateway = await startTestGateway(issuer.options);
  const waiting = { code: 503, status: 'starting', waitsFor: ['issuer'], ...closed };

  expect(await readReady(gateway)).toEqual(waiting);
  issuer.answerWith(undefined);
  expect(await readReady(gateway)).toEqual(waiting);
  vi.advanceTimersByTime(COOLDOWN_MS);
  expect(await readReady(gateway)).toEqual({ code: 200, status: 'ready', ...closed });

  await issuer.stop();
  vi.advanceTimersByTime(25 * 3_600_000);
  expect(await readReady(gateway)).toEqual({ code: 200, status: 'ready', ...closed });
});

it('is ready without Redis, and serves what needs no Redis', async () => {
  const server = await createRedisServer();
  onTestFinished(server.remove);
  const gateway = await startTestGateway({ redisUrl: server.url });

  expect(await readReady(gateway)).toEqual({
    code: 200,
    status: 'ready',
    ...closed,
    redis: 'away',
  });
  expect(await gateway.graphql(`{ study(id: "${wholeStudy.id}") { id } }`)).toEqual({
    data: { study: { id: wholeStudy.id } },
  });
});
