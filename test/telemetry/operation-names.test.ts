import { expect, it } from 'vitest';
import { CreateStudyDocument } from 'study-gateway-client';
import type { TestGateway } from '../support/gateway.js';
import { wholeStudy } from '../support/studies.js';
import { answerJson } from '../support/study-api.js';
import { startCollector, startTracedGateway } from './collector.fixture.js';
import { scrape } from '../support/exposition.js';

/** Number of scanned names: the maximum number of distinct names in metrics and traces. */
const SCANS = 100;

/** Starts a gateway with metrics and traces. `readNames` returns the set of operation names in each of the two. */
async function startNamed(statusOf: (body: string) => number = () => 200) {
  const collector = await startCollector();
  const gateway = await startTracedGateway(
    { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url },
    {
      metricsPort: 0,
      api: (response, call, request) =>
        answerJson(wholeStudy, statusOf(call.body))(response, call, request),
    },
  );
  const readNames = async () => {
    const { samples } = await scrape(gateway);
    const counted = samples
      .filter(({ name }) => name === 'study_gateway_operations_total')
      .map(({ labels }) => `${labels['operation_type']} ${labels['operation_name']}`);
    // Closing the gateway sends its spans.
    await gateway.close();
    const traced = collector.spans.filter(({ kind }) => kind === 'SERVER').map(({ name }) => name);
    return { counted: new Set(counted), traced: new Set(traced) };
  };
  return { gateway, readNames };
}

async function scan(gateway: TestGateway, toDocument: (index: number) => string): Promise<void> {
  for (let index = 0; index < SCANS; index++) await gateway.graphql(toDocument(index));
}

const both = (...names: string[]) => ({ counted: new Set(names), traced: new Set(names) });

it('names the operations of a client after a hundred names whose operations make no call', async () => {
  const { gateway, readNames } = await startNamed();

  await scan(gateway, (index) => `query Scan${index} { __typename }`);
  await gateway.graphql(CreateStudyDocument, { input: {} });

  expect(await readNames()).toEqual(both('query other', 'mutation CreateStudy'));
});

it.for([401, 404, 422, 500])(
  'names the operations of a client after a hundred names whose calls the Study API answered with %s',
  { timeout: 30_000 },
  async (status) => {
    const { gateway, readNames } = await startNamed((body) =>
      body.includes('scan') ? status : 200,
    );

    await scan(
      gateway,
      (index) => `mutation Scan${index} { createStudy(input: { language: "scan" }) { id } }`,
    );
    // The failures may have opened the circuit. Retries until the circuit closes and the Study API accepts the client.
    await expect
      .poll(async () => (await gateway.graphql(CreateStudyDocument, { input: {} })).errors, {
        timeout: 20_000,
      })
      .toBeUndefined();

    const names = await readNames();
    expect(names).toEqual(both('mutation other', 'mutation CreateStudy'));
  },
);

it('names a failed operation of a client that has succeeded before', async () => {
  const { gateway, readNames } = await startNamed((body) => (body.includes('bad') ? 422 : 200));

  await gateway.graphql(CreateStudyDocument, { input: {} });
  await gateway.graphql(CreateStudyDocument, { input: { language: 'bad' } });

  expect(await readNames()).toEqual(both('mutation CreateStudy'));
});

it('still names an operation after a stranger has used its name without a call', async () => {
  const { gateway, readNames } = await startNamed();

  await gateway.graphql('mutation CreateStudy { __typename }');
  await scan(gateway, (index) => `mutation Scan${index} { __typename }`);
  await gateway.graphql(CreateStudyDocument, { input: {} });

  expect(await readNames()).toEqual(both('mutation other', 'mutation CreateStudy'));
});
