import { hostname } from 'node:os';
import { expect, it, vi } from 'vitest';
import { CreateStudyDocument, EditStudyDocument, StudyDocument } from 'study-gateway-client';
import { type TestGatewayOptions } from '../support/gateway.js';
import { wholeStudy } from '../support/studies.js';
import { answerJson } from '../support/study-api.js';
import { startCollector, startTracedGateway, type ExportedSpan } from './collector.fixture.js';

const { id } = wholeStudy;
const traceId = '0af7651916cd43dd8448eb211c80319c';
const parentId = 'b7ad6b7169203331';

async function startTraced(
  options: TestGatewayOptions = {},
  environment: Readonly<Record<string, string>> = {},
) {
  const collector = await startCollector();
  const gateway = await startTracedGateway(
    { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, ...environment },
    options,
  );
  /** Closes the gateway, which sends its spans, and returns all spans. */
  const end = async (): Promise<readonly ExportedSpan[]> => {
    await gateway.close();
    return collector.spans;
  };
  return { collector, gateway, end };
}

const spanId = expect.stringMatching(/^[\da-f]{16}$/);

it('exports a span for each operation, with its REST call as a child span', async () => {
  const { collector, gateway, end } = await startTraced();

  await gateway.graphql(EditStudyDocument, { id, input: {} });

  const spans = await end();
  const [rest, operation] = spans;
  const { port } = new URL(
    gateway.calls[0]?.headers.host ? `http://${gateway.calls[0].headers.host}` : '',
  );
  expect(spans).toHaveLength(2);
  expect(operation).toEqual({
    traceId: expect.stringMatching(/^[\da-f]{32}$/),
    spanId,
    parentId: '',
    traceState: '',
    name: 'mutation editStudy',
    kind: 'SERVER',
    attributes: {
      'graphql.operation.type': 'mutation',
      'http.request.method': 'POST',
      'http.route': '/graphql',
      'http.response.status_code': 200,
      'study_gateway.request_id': gateway.calls[0]?.headers['x-request-id'],
    },
    events: 0,
    status: 'UNSET',
    ms: expect.any(Number),
    resource: expect.objectContaining({
      'service.name': 'study-gateway',
      'service.version': expect.stringMatching(/^\d+\.\d+\.\d+/),
      'service.instance.id': expect.stringMatching(/^[\da-f-]{36}$/),
      'host.name': hostname(),
      'host.arch': expect.any(String),
    }),
  });
  expect(rest).toEqual({
    ...operation,
    spanId,
    parentId: operation?.spanId,
    name: 'PATCH /studies/{study_id}',
    kind: 'CLIENT',
    attributes: {
      'http.request.method': 'PATCH',
      'url.template': '/studies/{study_id}',
      'server.address': '127.0.0.1',
      'server.port': Number(port),
      'http.response.status_code': 200,
      'study_gateway.attempts': 1,
    },
    ms: expect.any(Number),
  });
  expect(rest?.ms).toBeGreaterThan(0);
  expect(operation?.ms).toBeGreaterThanOrEqual(rest!.ms);
  expect(collector.requests).toEqual(['POST /v1/traces application/x-protobuf']);
  const line = gateway.log.find(({ msg }) => msg === 'operation');
  expect(line?.['traceId']).toBe(operation?.traceId);
});

it("continues the client's trace and its sampling, sends both to the Study API, and begins a trace if it cannot read one", async () => {
  const { gateway, end } = await startTraced();
  const tracestate = 'vendor=opaque,other=1';
  const toParent = (flags: string) => `00-${traceId}-${parentId}-${flags}`;

  for (const traceparent of [toParent('01'), toParent('00'), 'nonsense', toParent('01-more')])
    await gateway.graphql(CreateStudyDocument, { input: {} }, { traceparent, tracestate });

  const spans = await end();
  const [rest, operation, ...begun] = spans;
  expect(spans).toHaveLength(6);
  expect(operation).toMatchObject({ traceId, parentId, traceState: tracestate });
  expect(rest).toMatchObject({ traceId, parentId: operation?.spanId });
  expect(begun.filter(({ kind }) => kind === 'SERVER')).toMatchObject([
    { parentId: '' },
    { parentId: '' },
  ]);
  const [sampled, unsampled] = gateway.calls.map(({ headers }) => headers);
  expect(sampled).toMatchObject({
    traceparent: `00-${traceId}-${rest?.spanId}-01`,
    tracestate,
  });
  expect(unsampled?.['traceparent']).toMatch(
    new RegExp(`^00-${traceId}-(?!${parentId})[\\da-f]{16}-00$`),
  );
});

it('records a tenth of the traces that no client has begun, and all that a client has sampled', async () => {
  const { gateway, end } = await startTraced({}, { OTEL_TRACES_SAMPLER_ARG: '' });
  const traceparent = `00-${traceId}-${parentId}-01`;

  const send = (count: number, headers = {}) =>
    Promise.all(
      Array.from({ length: count }, () => gateway.graphql('{ __typename }', {}, headers)),
    );

  await send(200);
  await send(10, { traceparent });

  const spans = await end();
  const own = spans.filter(({ parentId }) => parentId === '').length;
  expect(own).toBeGreaterThan(1);
  expect(own).toBeLessThan(60);
  expect(spans.length - own).toBe(10);
});

it.each([
  ['always_on', 0, ['own', 'sampled', 'unsampled']],
  ['traceidratio', 0, []],
  ['parentbased_always_off', 1, ['sampled']],
  ['parentbased_traceidratio', 0, ['sampled']],
] as const)(
  'records traces as OTEL_TRACES_SAMPLER=%s requires with OTEL_TRACES_SAMPLER_ARG=%i',
  async (sampler, share, names) => {
    const { gateway, end } = await startTraced(
      {},
      { OTEL_TRACES_SAMPLER: sampler, OTEL_TRACES_SAMPLER_ARG: String(share) },
    );

    const send = (name: string, headers = {}) =>
      gateway.graphql('{ __typename }', {}, { ...headers, 'apollographql-client-name': name });
    await send('own');
    await send('sampled', { traceparent: `00-${traceId}-${parentId}-01` });
    await send('unsampled', { traceparent: `00-${traceId}-${parentId}-00` });

    expect((await end()).map(({ attributes }) => attributes['client.name'])).toEqual(names);
  },
);

it('has the attributes of OTEL_RESOURCE_ATTRIBUTES, which override its own, and the name of OTEL_SERVICE_NAME', async () => {
  const OTEL_RESOURCE_ATTRIBUTES =
    'service.name=of-the-attributes, service.instance.id=pod-1,deployment.environment.name=a%2Cb%3D';
  const environment = { OTEL_RESOURCE_ATTRIBUTES, OTEL_SERVICE_NAME: 'studies' };
  const { gateway, end } = await startTraced({}, environment);

  await gateway.graphql('{ __typename }');

  const resource = {
    'service.name': 'studies',
    'service.instance.id': 'pod-1',
    'deployment.environment.name': 'a,b=',
  };
  expect(await end()).toMatchObject([{ resource }]);
});

it.each([
  { OTEL_SDK_DISABLED: ' TRUE ', OTEL_TRACES_EXPORTER: 'otlp' },
  { OTEL_TRACES_EXPORTER: 'none' },
  { OTEL_TRACES_EXPORTER: 'zipkin' },
  { OTEL_EXPORTER_OTLP_ENDPOINT: ' ' },
])('sends nothing with %o', async (environment) => {
  const { collector, gateway, end } = await startTraced({}, environment);

  await gateway.graphql(CreateStudyDocument, { input: {} });

  expect(await end()).toEqual([]);
  expect(collector.requests).toEqual([]);
  expect(gateway.calls[0]?.headers).not.toHaveProperty('traceparent');
});

it.each([
  ['OTEL_TRACES_SAMPLER', 'xray'],
  ['OTEL_TRACES_SAMPLER_ARG', 'ten'],
  ['OTEL_EXPORTER_OTLP_TRACES_ENDPOINT', '/canary/v1/traces'],
  ['OTEL_EXPORTER_OTLP_COMPRESSION', 'canary'],
])('starts with %s=%s, warns of it, and uses the default', async (name, value) => {
  const { gateway, end } = await startTraced({}, { [name]: value });
  const traceparent = `00-${traceId}-${parentId}-01`;

  await gateway.graphql(CreateStudyDocument, { input: {} }, { traceparent });

  expect(await end()).toMatchObject([
    { resource: { 'service.name': 'study-gateway' } },
    { resource: { 'service.name': 'study-gateway' } },
  ]);
  expect(gateway.log.filter(({ level }) => Number(level) > 30)).toMatchObject([
    { level: 40, msg: 'a variable of OpenTelemetry is invalid', cause: expect.any(String) },
  ]);
  expect(JSON.stringify(gateway.log)).not.toContain('canary');
});

it('records how a call failed, its attempts and its outcome', async () => {
  const { gateway, end } = await startTraced({ api: answerJson({}, 503) });

  await gateway.graphql(StudyDocument, { id });
  await gateway.graphql(CreateStudyDocument, { input: {} });

  const call = { 'http.response.status_code': 503, 'error.type': 'unavailable' };
  const operation = { 'error.type': 'UPSTREAM_ERROR' };
  const outcome = { 'study_gateway.outcome': 'UNKNOWN' };
  const spans = await end();
  expect(spans.map(({ status }) => status)).toEqual(spans.map(() => 'ERROR'));
  expect(spans.map(({ attributes }) => attributes)).toMatchObject([
    { ...call, 'study_gateway.attempts': 3 },
    operation,
    { ...call, ...outcome, 'study_gateway.attempts': 1 },
    { ...operation, ...outcome },
  ]);
});

it('logs once that spans are lost, not once for each batch', async () => {
  const collector = await startCollector((response) => response.writeHead(400).end());
  const gateway = await startTracedGateway({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.url });
  const ten = Array.from({ length: 10 }, (_, index) => `a${index}: study(id: "${id}") { id }`);

  // A batch is sent as soon as it has 512 spans.
  for (let sent = 1; sent <= 2; sent++) {
    await Promise.all(Array.from({ length: 48 }, () => gateway.graphql(`{ ${ten.join(' ')} }`)));
    await vi.waitFor(() => expect(collector.requests).toHaveLength(sent), 20_000);
  }
  await gateway.close();

  const lost = gateway.log.filter(({ msg }) => String(msg).startsWith('spans were lost'));
  expect(lost).toMatchObject([{ level: 40, cause: expect.any(String) }]);
});
