import { StudyDocument } from 'study-gateway-client';
import { expect, it, onTestFinished, vi } from 'vitest';
import { scrape } from '../support/exposition.js';
import { startTestGateway, type TestGateway } from '../support/gateway.js';
import { startHoldingApi } from '../support/held-calls.js';
import { startIssuer } from '../support/issuer.js';
import { connectTo, ended } from '../support/raw-http.js';
import { wholeStudy } from '../support/studies.js';

const COOLDOWN_MS = 5_000;

async function ask(url: string | undefined, path: string): Promise<object> {
  const response = await fetch(new URL(path, url));
  return { code: response.status, ...((await response.json()) as object) };
}

const readReady = ({ url }: TestGateway): Promise<object> => ask(url, '/health/ready');

it('is not ready before the keys of the issuer have arrived, and stays ready when the issuer is away', async () => {
  vi.useFakeTimers({ toFake: ['Date', 'performance'] });
  onTestFinished(() => void vi.useRealTimers());
  const issuer = await startIssuer();
  issuer.answerWith((_, response) => response.writeHead(503).end());
  const gateway = await startTestGateway(issuer.options);
  const waiting = { code: 503, status: 'not ready' };

  expect(await readReady(gateway)).toEqual(waiting);
  issuer.answerWith(undefined);
  expect(await readReady(gateway)).toEqual(waiting);
  vi.advanceTimersByTime(COOLDOWN_MS);
  expect(await readReady(gateway)).toEqual({ code: 200, status: 'ready' });

  await issuer.stop();
  vi.advanceTimersByTime(25 * 3_600_000);
  expect(await readReady(gateway)).toEqual({ code: 200, status: 'ready' });
});

it('is ready without Redis, and serves what needs no Redis', async () => {
  // No program listens on port 1.
  const gateway = await startTestGateway({ redisUrl: new URL('redis://127.0.0.1:1') });

  expect(await readReady(gateway)).toEqual({ code: 200, status: 'ready' });
  expect(await gateway.graphql(`{ study(id: "${wholeStudy.id}") { id } }`)).toEqual({
    data: { study: { id: wholeStudy.id } },
  });
});

it('reports on the metrics port that a draining gateway is alive and not ready', async () => {
  const api = await startHoldingApi();
  const gateway = await startTestGateway({ metricsPort: 0, studyApiUrl: api.url });
  const answer = gateway.graphql(StudyDocument, { id: wholeStudy.id });
  await api.holds(1);

  const ending = gateway.close();

  expect(await ask(gateway.metricsUrl, '/health/ready')).toEqual({
    code: 503,
    status: 'not ready',
  });
  expect(await ask(gateway.metricsUrl, '/health/live')).toMatchObject({ code: 200 });
  api.answerNext();
  await answer;
  await ending;
});

it('over MAX_CONNECTIONS counts and logs each refused connection, and is healthy on the metrics port', async () => {
  const gateway = await startTestGateway({ maxConnections: 2, metricsPort: 0 });
  await connectTo(gateway.url);
  await connectTo(gateway.url);
  const read = async () =>
    (await scrape(gateway)).value('study_gateway_http_connections_refused_total');
  const lines = () =>
    gateway.log.filter(({ reason }) => String(reason).startsWith('MAX_CONNECTIONS are open'));
  expect([await read(), lines()]).toEqual([0, []]);

  await ended((await connectTo(gateway.url)).resume());
  await ended((await connectTo(gateway.url)).resume());

  expect([await read(), lines()]).toEqual([
    2,
    Array(2).fill(expect.objectContaining({ status: 503 })),
  ]);
  expect(await ask(gateway.metricsUrl, '/health/live')).toEqual({ code: 200, status: 'ok' });
  expect(await ask(gateway.metricsUrl, '/health/ready?verbose')).toEqual({
    code: 200,
    status: 'ready',
  });
});
