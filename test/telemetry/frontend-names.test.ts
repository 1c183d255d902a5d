import { expect, it } from 'vitest';
import { ApolloClient, HttpLink, InMemoryCache } from '@apollo/client';
import { StudyDocument } from 'study-gateway-client';
import { scrape } from '../support/exposition.js';
import { token } from '../support/post.js';
import { toPage, wholeStudy } from '../support/studies.js';
import { answerJson } from '../support/study-api.js';
import { startCollector, startTracedGateway } from './collector.fixture.js';

const read = `{ study(id: "${wholeStudy.id}") { id } }`;

it('shows the name and version of an Apollo Client in log, metrics and spans', async () => {
  const collector = await startCollector();
  const gateway = await startTracedGateway(
    { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url },
    { metricsPort: 0 },
  );
  const client = new ApolloClient({
    link: new HttpLink({
      uri: `${gateway.url}/graphql`,
      headers: { authorization: `Bearer ${token}` },
    }),
    cache: new InMemoryCache(),
    clientAwareness: { name: 'dashboard', version: '1.2.3' },
  });

  await client.query({ query: StudyDocument, variables: { id: wholeStudy.id } });

  expect(gateway.log.find(({ msg }) => msg === 'operation')).toMatchObject({
    client: 'dashboard',
    clientVersion: '1.2.3',
  });
  const { samples } = await scrape(gateway);
  expect(
    samples.filter(({ name }) => name === 'study_gateway_client_operations_total'),
  ).toMatchObject([
    { labels: { client_name: 'dashboard', code: 'none', outcome: 'none' }, value: 1 },
  ]);
  await gateway.close();
  expect(collector.spans.find(({ kind }) => kind === 'SERVER')?.attributes).toMatchObject({
    'client.name': 'dashboard',
    'client.version': '1.2.3',
  });
});

it('counts clients beyond a hundred, and clients without an accepted call, as other', async () => {
  const collector = await startCollector();
  const gateway = await startTracedGateway(
    { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url },
    { metricsPort: 0 },
  );
  const send = (query: string, name: string) =>
    gateway.graphql(query, {}, { 'apollographql-client-name': name });

  await send('{ __typename }', 'stranger');
  for (let index = 0; index < 101; index++) await send(read, `client-${index}`.padEnd(80, 'x'));
  await gateway.graphql(read);

  const { samples } = await scrape(gateway);
  const names = samples
    .filter(({ name }) => name === 'study_gateway_client_operations_total')
    .map(({ labels }) => labels['client_name'] ?? '');
  const kept = Array.from({ length: 100 }, (_, index) => `client-${index}`.padEnd(64, 'x'));
  expect(new Set(names)).toEqual(new Set(['other', ...kept, 'anonymous']));
});

it('names all operations of trusted documents, however many and whatever becomes of them', async () => {
  const collector = await startCollector();
  const gateway = await startTracedGateway(
    { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url },
    {
      metricsPort: 0,
      trustedDocuments: 'schema/trusted-documents.json',
      api: answerJson(toPage([]), 500),
    },
  );

  await gateway.graphql(StudyDocument, { id: wholeStudy.id });

  const { samples } = await scrape(gateway);
  expect(
    samples
      .filter(({ name }) => name === 'study_gateway_operations_total')
      .map(({ labels }) => labels['operation_name']),
  ).toEqual(['Study']);
  await gateway.close();
  expect(collector.spans.filter(({ kind }) => kind === 'SERVER')).toMatchObject([
    { name: 'query Study' },
  ]);
});
