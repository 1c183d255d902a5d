import { expect, it } from 'vitest';
import { cut, stayAlive, toHead } from '../support/faults.js';
import { startReadyProgram } from '../support/process.js';
import { startCollector } from './collector.fixture.js';
import { connectTo, json, readToEnd, toPost, toRequest } from '../support/raw-http.js';
import { startStudyApi, type ReceivedCall, type Respond } from '../support/study-api.js';

const token = 'canary-of-the-token';
const value = 'canary-of-a-value';
/** Prefix of the id of every study in this test. */
const idPrefix = 'c0ffee00-0000-4000-8000-';
const authorization = `authorization: Bearer ${token}`;
const close = 'connection: close';

/** Returns everything that a call contained, so that the Study API can send it back. */
const echo = ({ method, url, headers, body }: ReceivedCall): string =>
  `${method} ${url} ${headers.authorization} ${value} ${body}`;
const echoJson = (call: ReceivedCall): string =>
  JSON.stringify({ detail: echo(call), message: echo(call) });

function answer(
  status: number,
  type: string,
  toBody = echoJson,
  headers: Record<string, string> = {},
): Respond {
  return (response, call) => {
    response.writeHead(status, { 'content-type': type, 'x-echo': echo(call), ...headers });
    response.end(toBody(call));
  };
}

/** Failing answers of a Study API, each of which repeats everything that the call contained. */
const faults: readonly Respond[] = [
  ...[400, 401, 403, 404, 409, 429, 500, 503].map((status) => answer(status, 'application/json')),
  answer(422, 'application/json', (call) =>
    JSON.stringify({
      detail: [{ loc: ['header', echo(call)], msg: echo(call), input: call.body }],
    }),
  ),
  answer(503, 'application/json', echoJson, { 'retry-after': `${token} ${value}` }),
  answer(307, 'text/plain', echo, { location: `/${token}/${value}` }),
  answer(200, 'text/html', echo),
  answer(200, 'application/json', echo),
  answer(200, 'application/json', (call) => JSON.stringify([echo(call)])),
  answer(200, 'application/json', () =>
    JSON.stringify({ id: 1, files: token, unknown: token, progress: value, createdAt: value }),
  ),
  answer(200, 'application/json', (call) =>
    JSON.stringify({ [token]: 1, [echo(call)]: 1, progress: { [token]: 1, [value]: 1 } }),
  ),
  answer(200, 'application/json', echoJson, { 'content-encoding': 'gzip' }),
  answer(200, 'application/json', (call) => JSON.stringify({ big: echo(call).repeat(1_000) })),
  (response, call, request) => cut(`${echo(call)}\r\n\r\n`, 'FIN')(response, call, request),
  (response, call, request) =>
    cut(toHead(`500 ${token} ${value}`, ['content-length: 0']), 'FIN')(response, call, request),
  (response, call, request) =>
    cut(toHead('200 OK', [`x: ${token}\u0001`]), 'FIN')(response, call, request),
  (response, call, request) =>
    cut(toHead('200 OK', ['content-length: 9999'], echoJson(call)), 'RST')(response, call, request),
  (response, call, request) =>
    cut(toHead('200 OK', ['transfer-encoding: chunked'], `${token}\r\n`), 'FIN')(
      response,
      call,
      request,
    ),
  cut('', 'RST'),
  stayAlive,
];

const isRefusal =
  /^HTTP\/1\.1 (\d{3} [^]*("errors":\[|\{"study":null\})|4\d\d [\w ]+\r\nconnection: close\r\n\r\n$)/i;

const input = { description: value, files: [value], language: value };

/** Returns the operations that make the Study API answer with the fault at `index`. */
function toOperations(index: number): object[] {
  const id = idPrefix + String(index).padStart(12, '0');
  return [
    {
      query:
        'mutation ($input: CreateStudyInput!) { createStudy(input: $input) { id files progress { total } createdAt } }',
      variables: { input: { ...input, interviewCount: index } },
    },
    {
      query:
        'mutation ($id: UUID!, $input: EditStudyInput!) { editStudy(id: $id, input: $input) { id audiences } }',
      variables: { id, input },
    },
    { query: `{ study(id: "${id}") { id description createdAt } }` },
  ];
}

/** Reads whose 404 counts as a success, so that most calls succeed and the circuit stays closed. */
const manyReads = {
  query: `{ ${Array.from({ length: 10 }, (_, n) => `a${n}: study(id: "${idPrefix}9999999999${10 + n}") { id }`).join(' ')} }`,
};

const create = (literal: string): string => `mutation { createStudy(input: ${literal}) { id } }`;
const variable = {
  query: 'mutation ($input: CreateStudyInput!) { createStudy(input: $input) { id } }',
};
const lines = [authorization, close];
const post = (body: object | string, headers: readonly string[] = lines): string =>
  toPost(typeof body === 'string' ? body : JSON.stringify(body), headers);

/** Requests that the gateway refuses, each with the token and a value. */
const refusals: readonly string[] = [
  post(`{"query":"${value}`),
  post(`["${value}"]`),
  post({ query: 7, variables: input }),
  post({ query: `{ ${value} "${value}` }),
  post({ query: create(`{ description: "${value}", bookmarked: "${value}" }`) }),
  post({ query: create(`{ projectId: "${value}" }`) }),
  post({ query: `mutation { editStudy(id: "${idPrefix}", input: {}) { id } }` }),
  post({ query: create(`{ description: "${value}", unknown: "${value}" }`) }),
  post({ query: create(`{ description: "${value}" }`), operationName: 'No' }),
  post({ query: `${create(`{ description: "${value}" }`)} #${'x'.repeat(20_000)}` }),
  post({ ...variable, variables: { input: { ...input, unknown: value } } }),
  post({ ...variable, variables: { input: { ...input, files: { [value]: value } } } }),
  post({ ...variable, variables: { input: value } }),
  post({
    ...variable,
    variables: { input },
    extensions: { persistedQuery: { version: 1, sha256Hash: value } },
  }),
  ...[
    `Bearer ${token} ${value}`,
    `Basic ${token}`,
    token,
    `Bearer ${token},`,
    `Bearer ${token}\u00e9`,
    `Bearer ${token}${'x'.repeat(9_000)}`,
  ].map((header) =>
    post({ ...variable, variables: { input } }, [`authorization: ${header}`, close]),
  ),
  post({ ...variable, variables: { input } }, [authorization, authorization, close]),
  post({ ...variable, variables: { input } }, [authorization, close, 'content-encoding: gzip']),
  toRequest('POST /graphql', [json, authorization, 'content-length: 9999999'], value),
  toRequest(
    'POST /graphql',
    ['content-type: text/plain', ...lines, `content-length: ${value.length}`],
    value,
  ),
  toRequest(`GET /graphql?query={${value}}&variables=${value}`, [json, ...lines]),
  toRequest(`GET /studies/${idPrefix}?${idPrefix}`, lines),
  toRequest(`GET /${value}/${token}?${value}`, lines),
  toRequest(`GET /%zz${value}${token}`, lines),
  toRequest(`DELETE /graphql?${value}`, lines),
  toRequest('GET /', [authorization, `x: ${value}\u0000`]),
  toRequest('GET /', [`authorization: Bearer ${token}\u0000`]),
  toRequest('GET /', [authorization, `x: ${value.repeat(1_000)}`]),
  toRequest('POST /graphql', [json, authorization, `transfer-encoding: ${value}`], value),
  `${value} ${token}\r\n\r\n`,
];

it('writes neither the token nor a value anywhere, nor an id of a study that is only read, and no response contains the token', async () => {
  const met = new Set<number>();
  const api = await startStudyApi((response, call, request) => {
    const index = Number(
      call.method === 'POST' ? JSON.parse(call.body).interviewCount : call.url.slice(-12),
    );
    const fault = faults[index];
    if (!fault) return answer(404, 'application/json')(response, call, request);
    met.add(index);
    return fault(response, call, request);
  });
  const collector = await startCollector();
  const { url, exit, kill } = await startReadyProgram({
    env: {
      LOG_LEVEL: 'trace',
      STUDY_API_URL: api.url,
      STUDY_API_TIMEOUT_MS: '1000',
      STUDY_API_MAX_ANSWER_BYTES: '10000',
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      OTEL_TRACES_SAMPLER_ARG: '1',
    },
  });
  const send = async (bytes: string): Promise<string> => {
    const socket = await connectTo(url);
    socket.write(bytes, 'latin1');
    return readToEnd(socket);
  };

  for (const _ of faults) await send(post(manyReads));
  const answers = await Promise.all([
    ...faults.flatMap((_, index) => toOperations(index)).map((operation) => send(post(operation))),
    ...refusals.map(send),
  ]);
  kill('SIGTERM');
  const { code, stdout, stderr } = await exit;

  // Proves that every fault occurred, every response has an error or the null of a 404, or is one that Node writes without a
  // body, and the program logged them.
  expect(met).toEqual(new Set(faults.keys()));
  expect(answers.filter((text) => !isRefusal.test(text))).toEqual([]);
  expect(stdout.match(/"msg":"operation"/g)?.length).toBeGreaterThan(3 * faults.length);
  expect(stdout.match(/"msg":"a call to the Study API failed"/g)?.length).toBeGreaterThan(
    faults.length,
  );
  const written = (stdout + stderr).split('\n');
  // Checks only for `canary`, the beginning of the values, because a message might quote a value only in part.
  expect(written.filter((line) => line.includes('canary'))).toEqual([]);
  // The line of an operation has the ids of the studies that it was to write, there and nowhere else.
  const strip = (line: string): string => line.replace(/"writes":\[[^\]]*\]/, '');
  expect(written.filter((line) => strip(line).includes(idPrefix))).toEqual([]);
  expect(answers.filter((text) => text.includes(token))).toEqual([]);
  expect(collector.bytes()).toContain('GET /studies/{study_id}');
  expect(collector.bytes()).not.toMatch(/canary|c0ffee00/);
  expect(collector.spans.filter(({ events }) => events > 0)).toEqual([]);
  expect(code).toBe(0);
}, 30_000);
