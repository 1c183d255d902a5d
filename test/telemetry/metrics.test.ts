import { readFileSync } from 'node:fs';
import { ApolloServer } from '@apollo/server';
import { expect, it, onTestFinished, vi } from 'vitest';
import { CreateStudyDocument, StudyDocument } from 'study-gateway-client';
import { startHoldingApi } from '../support/held-calls.js';
import { createRedisServer } from '../support/redis.js';
import { connectTo } from '../support/raw-http.js';
import { createLateApi } from '../support/retries.js';
import { startTestGateway, type TestGateway } from '../support/gateway.js';
import { toPage, wholeStudy, respell } from '../support/studies.js';
import { answerJson } from '../support/study-api.js';
import { scrape } from '../support/exposition.js';

const metricsPort = 0;
const { id } = wholeStudy;

it('counts and times an operation, its request and its REST call', async () => {
  const gateway = await startTestGateway({ metricsPort });

  await gateway.graphql(CreateStudyDocument, { input: {} });
  await gateway.graphql('{ __typename }');
  await fetch(`${gateway.url}/nothing/${id}`);

  const { value } = await scrape(gateway);
  const counts: [string, Record<string, string>, number][] = [
    ['operations_total', { root_field: 'createStudy', code: 'none' }, 1],
    ['operations_total', { root_field: 'other', code: 'none' }, 1],
    ['operation_duration_seconds_count', { root_field: 'createStudy' }, 1],
    ['http_request_duration_seconds_count', { status: '200' }, 2],
    ['http_request_duration_seconds_count', { status: '404' }, 1],
    ['rest_calls_total', { route: 'POST /studies', status: '200' }, 1],
    ['rest_call_duration_seconds_count', { route: 'POST /studies' }, 1],
    ['failed_writes_total', { outcome: 'UNKNOWN' }, 0],
  ];
  expect(
    counts.map(([name, labels]) => [name, labels, value(`study_gateway_${name}`, labels)]),
  ).toEqual(counts);
  expect(
    value('study_gateway_rest_call_duration_seconds_sum', { route: 'POST /studies' }),
  ).toBeLessThan(
    value('study_gateway_operation_duration_seconds_sum', { root_field: 'createStudy' })!,
  );
});

it('counts the outcome of a failed write once, and every error by its code', async () => {
  const gateway = await startTestGateway({
    metricsPort,
    api: answerJson({ ...wholeStudy, language: 7, files: 7 }),
  });
  const failing = await startTestGateway({ metricsPort, api: answerJson({}, 500) });

  await gateway.graphql(CreateStudyDocument, { input: {} });
  await gateway.graphql('mutation { createStudy(input: { unknown: 1 }) { id } }');
  await gateway.graphql('{');
  await failing.graphql('mutation { a: createStudy(input: {}) { id } b: createStudy { id } }');
  await failing.graphql('mutation { a: createStudy(input: {}) { id } }');

  const { value } = await scrape(gateway);
  const broken = { root_field: 'createStudy', code: 'UPSTREAM_CONTRACT' };
  expect(value('study_gateway_operations_total', broken)).toBe(1);
  const unparsed = { root_field: 'other', code: 'GRAPHQL_PARSE_FAILED' };
  expect(value('study_gateway_operations_total', unparsed)).toBe(1);
  expect(value('study_gateway_errors_total', { code: 'UPSTREAM_CONTRACT' })).toBe(2);
  expect(value('study_gateway_errors_total', { code: 'GRAPHQL_VALIDATION_FAILED' })).toBe(1);
  expect(value('study_gateway_failed_writes_total', { outcome: 'APPLIED' })).toBe(1);
  expect(value('study_gateway_failed_writes_total', { outcome: 'NOT_SENT' })).toBe(0);
  const other = await scrape(failing);
  expect(other.value('study_gateway_failed_writes_total', { outcome: 'UNKNOWN' })).toBe(1);
  expect(other.value('study_gateway_rest_calls_total', { status: '500' })).toBe(1);
});

it('counts a read once with its retries, and a call that was never sent', async () => {
  const gateway = await startTestGateway({ metricsPort, api: answerJson({}, 503) });
  const late = await createLateApi();
  const stopped = await startTestGateway({ metricsPort, studyApiUrl: late.url });

  await gateway.graphql(StudyDocument, { id });
  await stopped.graphql(CreateStudyDocument, { input: {} });

  const read = await scrape(gateway);
  const route = 'GET /studies/{study_id}';
  expect(gateway.calls).toHaveLength(3);
  expect(read.value('study_gateway_rest_calls_total', { route, status: '503' })).toBe(1);
  expect(read.value('study_gateway_rest_calls_total', { route, status: '200' })).toBeUndefined();
  const unsent = await scrape(stopped);
  expect(unsent.value('study_gateway_rest_calls_total', { status: 'none' })).toBe(1);
});

it('shows running and queued calls', async () => {
  const api = await startHoldingApi();
  const limits = { maxCalls: 2, maxQueue: 3 };
  const gateway = await startTestGateway({ metricsPort, studyApiUrl: api.url, ...limits });
  const read = async () => {
    const { value } = await scrape(gateway);
    return {
      running: value('study_gateway_rest_calls_running'),
      queued: value('study_gateway_rest_calls_queued'),
      max: value('study_gateway_rest_calls_max'),
    };
  };

  const calls = Array.from({ length: 3 }, () => gateway.graphql(StudyDocument, { id }));
  await api.holds(2);
  const full = { running: 2, queued: 1, max: 2 };
  await expect.poll(read, { interval: 5 }).toEqual(full);
  api.answerNext();
  api.answerNext();
  await api.holds(1);
  api.answerNext();
  await Promise.all(calls);

  const idle = { ...full, running: 0, queued: 0 };
  await expect.poll(read, { interval: 5 }).toEqual(idle);
});

it('shows one state of the circuit at a time', async () => {
  const gateway = await startTestGateway({ metricsPort, api: answerJson({}, 503) });
  const read = async () => {
    const { value } = await scrape(gateway);
    return ['closed', 'half-open', 'open'].map((state) =>
      value('study_gateway_circuit_state', { state }),
    );
  };

  expect(await read()).toEqual([1, 0, 0]);
  for (let call = 0; call < 20; call++) await gateway.graphql(CreateStudyDocument, { input: {} });

  expect(await read()).toEqual([0, 0, 1]);
});

it('counts drift, once for each answer that was read, and refusals by rate limits', async () => {
  const gateway = await startTestGateway({
    metricsPort,
    api: answerJson({ ...wholeStudy, language: 7 }),
    rateLimitMutationFields: 3,
    rateLimitRequests: 5,
  });

  for (let sent = 0; sent < 6; sent++)
    await gateway.graphql('mutation { createStudy(input: {}) { id } }');

  const { value } = await scrape(gateway);
  const limits = ['requests', 'mutation-fields'].map((limit) =>
    value('study_gateway_rate_limit_refusals_total', { limit }),
  );
  expect(limits).toEqual([1, 2]);
  const drift = { field: 'language', expected: 'a string or null', received: 'a number' };
  expect(value('study_gateway_drift_total', drift)).toBe(3);
});

it('shows whether Redis answers, if Redis is configured', { tags: ['redis'] }, async () => {
  const redis = await createRedisServer();
  onTestFinished(() => redis.remove());
  await redis.start();
  const gateway = await startTestGateway({ metricsPort, redisUrl: redis.url });
  const without = await startTestGateway({ metricsPort });
  const read = async (of: TestGateway) => (await scrape(of)).value('study_gateway_redis_up');

  expect([await read(gateway), await read(without)]).toEqual([1, undefined]);
  await redis.stop();
  await expect.poll(() => read(gateway), { interval: 5 }).toBe(0);
});

it('has every code of docs/errors.md from the start, at 0', async () => {
  const gateway = await startTestGateway({ metricsPort });
  const [, table = ''] = readFileSync('docs/errors.md', 'utf8').split(
    '`code` follows from what happened',
  );
  const rows = table.split('\n\n')[1]?.split('\n').slice(2) ?? [];
  const codes = rows.flatMap((row) => /`([A-Z_]+)`/.exec(row.split('|')[2] ?? '')?.[1] ?? []);

  const { value } = await scrape(gateway);
  expect(codes.length).toBeGreaterThan(15);
  expect(codes.filter((code) => value('study_gateway_errors_total', { code }) !== 0)).toEqual([]);
});

it('counts a request that ends with 500, which no metric of operations counts', async () => {
  const gateway = await startTestGateway({ metricsPort });
  const { value: before } = await scrape(gateway);
  const execute = vi
    .spyOn(ApolloServer.prototype, 'executeOperation')
    .mockRejectedValueOnce(new TypeError('a defect'));
  onTestFinished(() => execute.mockRestore());

  const response = await gateway.post({ query: '{ __typename }' });
  await gateway.graphql('{ __typename }');

  const { value } = await scrape(gateway);
  expect(response.status).toBe(500);
  expect(before('study_gateway_http_internal_errors_total', {})).toBe(0);
  expect(value('study_gateway_http_internal_errors_total', {})).toBe(1);
  expect(value('study_gateway_errors_total', { code: 'INTERNAL_SERVER_ERROR' })).toBe(0);
});

it('serves only /metrics, also while the gateway drains, and closes beside a scraper that never finishes', async () => {
  const api = await startHoldingApi();
  const gateway = await startTestGateway({ metricsPort, studyApiUrl: api.url });
  const metricsUrl = gateway.metricsUrl!;
  const ask = async (path: string, method: string) =>
    (await fetch(new URL(path, metricsUrl), { method })).status;

  expect(await ask('/', 'GET')).toBe(404);
  expect(await ask('/metrics', 'POST')).toBe(404);
  expect(await ask('/metrics', 'HEAD')).toBe(200);
  const answer = gateway.graphql(StudyDocument, { id });
  await api.holds(1);
  const scraper = await connectTo(metricsUrl);
  scraper.resume().write('GET /metrics HTTP/1.1\r\n');
  const closed = gateway.close();
  await expect.poll(() => fetch(gateway.url).then(String, () => 'refused')).toBe('refused');
  const { value } = await scrape(gateway);
  api.answerNext();

  expect(value('study_gateway_rest_calls_running')).toBe(1);
  expect(await answer).toMatchObject({ data: { study: { id } } });
  await closed;
  await expect(fetch(metricsUrl)).rejects.toThrow('fetch failed');
});

it('counts each refusal by the bound that was passed', async () => {
  const list = (count: number) => Array.from({ length: count }, () => ({}));
  const names = Object.keys(wholeStudy).filter((name) => !['id', 'progress'].includes(name));
  const broken = { ...Object.fromEntries(names.map((name) => [name, {}])), id };
  let description = '';
  const gateway = await startTestGateway({
    metricsPort,
    maxAnswerBytes: 1_000_000,
    maxAllAnswersBytes: 1_000_000,
    maxAllBodiesBytes: 200_000,
    api: (response, call, request) => {
      const study = { ...wholeStudy, description };
      if (call.url.toLowerCase().includes(id)) return answerJson(study)(response, call, request);
      const items = Array.from({ length: 100 }, () => broken);
      answerJson(toPage(items, { size: 100 }))(response, call, request);
    },
  });
  await gateway.post(' '.repeat(256 * 1024 + 1));
  await gateway.post({ query: '{ __typename }', variables: { a: list(10_000) } });
  await gateway.post({ query: '{ __typename }', variables: { a: 'x'.repeat(210_000) } });
  await gateway.graphql('{ studies { items { id other: id } } }');
  await gateway.graphql(`{ studies(size: 100) { items { ${names.join(' ')} } } }`);
  description = 'x'.repeat(1_000_000);
  await gateway.graphql(`{ study(id: "${id}") { id } }`);
  description = 'x'.repeat(600_000);
  await gateway.graphql(
    `{ a: study(id: "${id}") { id } b: study(id: "${respell(id, 1)}") { id } }`,
  );

  const { samples } = await scrape(gateway);
  const counts = samples.filter(({ name }) => name === 'study_gateway_bounds_reached_total');
  expect(Object.fromEntries(counts.map(({ labels, value }) => [labels.bound, value]))).toEqual({
    body_bytes: 1,
    body_memory: 1,
    body_separators: 1,
    document: 1,
    answer_bytes: 1,
    // The second answer can find room or not: the first has its bytes until the operation ends.
    answer_memory: expect.toSatisfy((count: number) => count === 1 || count === 2),
    field_errors: 1,
  });
});
