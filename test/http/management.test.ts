import { expect, it } from 'vitest';
import { StudyDocument } from 'study-gateway-client';
import { startHoldingApi } from '../support/held-calls.js';
import { connectTo, ended } from '../support/raw-http.js';
import { startTestGateway, type TestGateway } from '../support/gateway.js';
import { wholeStudy } from '../support/studies.js';
import { scrape } from '../support/exposition.js';

/** Starts a gateway whose clients use all allowed connections. */
async function startFullGateway(): Promise<TestGateway> {
  const gateway = await startTestGateway({ maxConnections: 2, metricsPort: 0 });
  await connectTo(gateway.url);
  await connectTo(gateway.url);
  return gateway;
}

async function ask({ metricsUrl }: TestGateway, path: string): Promise<object> {
  const response = await fetch(new URL(path, metricsUrl));
  return { status: response.status, body: await response.json() };
}

/** Connects, and waits until the gateway has closed the connection. */
async function beRefused({ url }: TestGateway): Promise<void> {
  const socket = await connectTo(url);
  await ended(socket.resume());
}

const circuit = { studyApi: { circuit: 'closed' } };

it('answers both health paths on the metrics port while clients use all connections', async () => {
  const gateway = await startFullGateway();
  await beRefused(gateway);

  expect(await ask(gateway, '/health/live')).toEqual({ status: 200, body: { status: 'ok' } });
  expect(await ask(gateway, '/health/ready?verbose')).toEqual({
    status: 200,
    body: { status: 'ready', ...circuit },
  });
});

it('reports on the metrics port that a draining gateway is alive and not ready', async () => {
  const api = await startHoldingApi();
  const gateway = await startTestGateway({ metricsPort: 0, studyApiUrl: api.url });
  const answer = gateway.graphql(StudyDocument, { id: wholeStudy.id });
  await api.holds(1);

  const closed = gateway.close();

  expect(await ask(gateway, '/health/ready')).toEqual({
    status: 503,
    body: { status: 'shutting down', ...circuit },
  });
  expect(await ask(gateway, '/health/live')).toMatchObject({ status: 200 });
  api.answerNext();
  await answer;
  await closed;
});

it('counts each refused connection, and warns of the first', async () => {
  const gateway = await startFullGateway();
  const read = async () =>
    (await scrape(gateway)).value('study_gateway_http_connections_refused_total');
  const lines = () => gateway.log.filter(({ msg }) => String(msg).startsWith('MAX_CONNECTIONS are open'));
  expect([await read(), lines()]).toEqual([0, []]);

  await beRefused(gateway);
  await beRefused(gateway);

  expect([await read(), lines()]).toEqual([2, [expect.objectContaining({ level: 40 })]]);
});
