import { expect, it } from 'vitest';
import { StudyDocument } from 'study-gateway-client';
import { scrape, type Exposition } from '../support/exposition.js';
import { toPage, wholeStudy } from '../support/studies.js';
import { answerJson } from '../support/study-api.js';
import { startCollector, startTracedGateway } from './collector.fixture.js';

/** Returns root field, name of the operation, code and count of each series of operations. */
function toCounted({ samples }: Exposition): unknown[] {
  return samples
    .filter(({ name, value }) => name === 'study_gateway_operations_total' && value > 0)
    .map(({ labels, value }) => [
      labels['root_field'],
      labels['operation_name'],
      labels['code'],
      value,
    ]);
}

it('names the operations of trusted documents, whatever becomes of them', async () => {
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

  expect(toCounted(await scrape(gateway))).toEqual([['study', 'Study', 'UPSTREAM_ERROR', 1]]);
  await gateway.close();
  expect(collector.spans.at(-1)).toMatchObject({ kind: 'SERVER', name: 'query Study' });
});

it('names operations by their root field, unless only trusted documents run, and clients in log and spans alone', async () => {
  const collector = await startCollector();
  const gateway = await startTracedGateway(
    { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url },
    { metricsPort: 0 },
  );

  const client = {
    'apollographql-client-name': 'dashboard',
    'apollographql-client-version': '1.2.3',
  };
  await gateway.graphql(StudyDocument, { id: wholeStudy.id }, client);
  await gateway.graphql('query Made { Up: __typename }');
  await gateway.graphql(
    'mutation Made { a: createStudy(input: {}) { id } ...Up } fragment Up on Mutation { b: createStudy(input: {}) { id } }',
  );
  await gateway.graphql(`{ study(id: "${wholeStudy.id}") { id } studies { page } }`);
  await gateway.graphql('query Made {');

  const exposition = await scrape(gateway);
  expect(new Set(toCounted(exposition))).toEqual(
    new Set([
      ['study', undefined, 'none', 1],
      ['other', undefined, 'none', 1],
      ['other', undefined, 'GRAPHQL_PARSE_FAILED', 1],
      ['createStudy', undefined, 'none', 1],
      ['several', undefined, 'UPSTREAM_CONTRACT', 1],
    ]),
  );
  expect(exposition.text).not.toMatch(/operation_name|Made|Up"|dashboard/);
  await gateway.close();
  expect(gateway.log.find(({ msg }) => msg === 'operation')).toMatchObject({
    client: 'dashboard',
    clientVersion: '1.2.3',
  });
  const operations = collector.spans.filter(({ kind }) => kind === 'SERVER');
  expect(operations[0]?.attributes).toMatchObject({
    'client.name': 'dashboard',
    'client.version': '1.2.3',
  });
  expect(operations.map(({ name }) => name)).toEqual([
    'query study',
    'query other',
    'mutation createStudy',
    'query several',
    'unknown other',
  ]);
  expect(JSON.stringify(collector.spans)).not.toMatch(/graphql\.operation\.name|Made/);
});
