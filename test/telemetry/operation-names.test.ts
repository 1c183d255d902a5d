import { expect, it } from 'vitest';
import { CreateStudyDocument } from '../../client/generated/operations.js';
import { startTestGateway, type TestGateway } from '../support/gateway.js';
import { wholeStudy } from '../support/studies.js';
import { answerJson } from '../support/study-api.js';
import { startCollector } from './collector.fixture.js';
import { scrape } from '../support/exposition.js';

/** As many names as are told apart. */
const SCANS = 100;

/** A gateway with metrics and traces, and how both name its operations, each of them once. */
async function startNamed(statusOf: (body: string) => number = () => 200) {
  const collector = await startCollector();
  const gateway = await startTestGateway({
    metricsPort: 0,
    otelExporterOtlpEndpoint: collector.url,
    api: (response, call, request) =>
      answerJson(wholeStudy, statusOf(call.body))(response, call, request),
  });
  const readNames = async () => {
    const { samples } = await scrape(gateway);
    const counted = samples
      .filter(({ name }) => name === 'study_gateway_operations_total')
      .map(({ labels }) => `${labels['operation_type']} ${labels['operation_name']}`);
    // Its end sends the spans.
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

it('names the operations of a client after a hundred that make no call', async () => {
  const { gateway, readNames } = await startNamed();

  await scan(gateway, (index) => `query Scan${index} { __typename }`);
  await gateway.graphql(CreateStudyDocument, { input: {} });

  expect(await readNames()).toEqual(both('query other', 'mutation CreateStudy'));
});

it.for([401, 404, 422, 500])(
  'names the operations of a client after a hundred that the Study API answered with %s',
  { timeout: 30_000 },
  async (status) => {
    const { gateway, readNames } = await startNamed((body) =>
      body.includes('scan') ? status : 200,
    );

    await scan(
      gateway,
      (index) => `mutation Scan${index} { createStudy(input: { language: "scan" }) { id } }`,
    );
    // The circuit may be open after that: until it lets a call through, a client is a stranger too.
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

it('lets a stranger with the name of an operation take nothing from it', async () => {
  const { gateway, readNames } = await startNamed();

  await gateway.graphql('mutation CreateStudy { __typename }');
  await scan(gateway, (index) => `mutation Scan${index} { __typename }`);
  await gateway.graphql(CreateStudyDocument, { input: {} });

  expect(await readNames()).toEqual(both('mutation other', 'mutation CreateStudy'));
});
