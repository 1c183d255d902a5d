import { expect, it } from 'vitest';
import { StudyDocument } from 'study-gateway-client';
import { scrape, type Exposition } from '../support/exposition.js';
import { wholeStudy } from '../support/studies.js';
import { startCollector, startTracedGateway } from './collector.fixture.js';

/** Returns root field, code and count of each series of operations. */
function toCounted({ samples }: Exposition): unknown[] {
  return samples
    .filter(({ name, value }) => name === 'study_gateway_operations_total' && value > 0)
    .map(({ labels, value }) => [labels['root_field'], labels['code'], value]);
}

it('names operations by their root field, and clients in log and spans alone', async () => {
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
      ['study', 'none', 1],
      ['other', 'none', 1],
      ['other', 'GRAPHQL_PARSE_FAILED', 1],
      ['createStudy', 'none', 1],
      ['several', 'UPSTREAM_CONTRACT', 1],
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
