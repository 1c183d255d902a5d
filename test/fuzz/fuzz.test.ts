import fc from 'fast-check';
import { OperationTypeNode, getOperationAST, parse } from 'graphql';
import { expect, it } from 'vitest';
import { answer, canary, type Answer } from './arbitraries.fixture.js';
import { graphqlBody, rawRequest } from './fuzzed-requests.fixture.js';
import { startTestGateway, type TestGateway } from '../support/gateway.js';
import { connectTo, readToEnd } from '../support/raw-http.js';
import { wholeStudy } from '../support/studies.js';
import { answerJson, type Respond } from '../support/study-api.js';

// A failing case prints its seed: `FUZZ_SEED=… FUZZ_RUNS=…` runs the same cases again. Without FUZZ_RUNS, the tests take
// a few seconds.

const { FUZZ_RUNS, FUZZ_SEED } = process.env;
const parameters = {
  ...(FUZZ_RUNS ? { numRuns: Number(FUZZ_RUNS) } : { numRuns: 400 }),
  ...(FUZZ_SEED && { seed: Number(FUZZ_SEED) }),
};
const timeout = FUZZ_RUNS ? 3_600_000 : 30_000;

/** All error codes of the gateway and of Apollo except INTERNAL_SERVER_ERROR. */
const knownCodes =
  `BAD_REQUEST BAD_USER_INPUT CONFLICT FORBIDDEN GRAPHQL_PARSE_FAILED GRAPHQL_VALIDATION_FAILED
  NOT_FOUND OPERATION_RESOLUTION_FAILURE OVERLOADED PERSISTED_QUERY_NOT_FOUND PERSISTED_QUERY_NOT_SUPPORTED RATE_LIMITED
  UNAUTHENTICATED UPSTREAM_CONTRACT UPSTREAM_ERROR UPSTREAM_TIMEOUT UPSTREAM_UNAVAILABLE`.split(
    /\s+/,
  );
const outcomes = ['NOT_SENT', 'REJECTED', 'APPLIED', 'UNKNOWN'];

interface Response {
  readonly data?: Readonly<Record<string, unknown>> | null;
  readonly errors?: readonly {
    readonly message: string;
    readonly path?: readonly (string | number)[];
    readonly extensions: Readonly<Record<string, unknown>>;
  }[];
}

/** Starts a gateway whose Study API gives the answer last set by `answerWith`. */
async function startFuzzedGateway() {
  let respond: Respond = answerJson(wholeStudy);
  const gateway = await startTestGateway({
    api: (...exchange) => respond(...exchange),
    // 1 ms, because the broken answers would otherwise keep the circuit open, and no call would be made.
    circuitOpenMs: 1,
  });
  return {
    gateway,
    answerWith: ({ status, headers, body }: Answer): void => {
      respond = (response) => void response.writeHead(status, headers).end(body);
    },
  };
}

function expectSoundErrors({ data, errors = [] }: Response, requestId: unknown): void {
  for (const { message, extensions } of errors) {
    expect(message).toEqual(expect.any(String));
    expect(knownCodes).toContain(extensions['code']);
    expect(extensions['retryable']).toEqual(expect.any(Boolean));
    expect(extensions['requestId']).toBe(requestId);
    // A read that was sent has no outcome. A request that never became an operation must have `NOT_SENT`.
    const possible = data === undefined ? ['NOT_SENT'] : [...outcomes, undefined];
    expect(possible).toContain(extensions['outcome']);
  }
}

function isMutation(source: unknown, operationName: unknown): boolean {
  try {
    const name = typeof operationName === 'string' ? operationName : undefined;
    const operation = getOperationAST(parse(String(source)), name);
    return operation?.operation === OperationTypeNode.MUTATION;
  } catch {
    return false;
  }
}

/** Returns the number of calls that the Study API must have received, according to the response's root fields. */
function countToldCalls({ data, errors = [] }: Response): number {
  return Object.entries(data ?? {}).filter(([field, value]) => {
    if (typeof value === 'string') return false;
    const told = errors.filter(({ path }) => path?.[0] === field);
    expect(value !== null || told.length > 0).toBe(true);
    for (const { extensions } of told) expect(outcomes).toContain(extensions['outcome']);
    return told.every(({ extensions }) => extensions['outcome'] !== 'NOT_SENT');
  }).length;
}

/** Returns the log lines about defects of the gateway. */
function findDefects({ log }: TestGateway, from = 0): readonly object[] {
  return log.slice(from).filter(({ level }) => Number(level) >= 50);
}

it(
  'answers any operation with data or known errors, and reports a true outcome for every write',
  { timeout },
  async () => {
    const { gateway, answerWith } = await startFuzzedGateway();
    const seen = new Set<unknown>();

    const property = fc.asyncProperty(graphqlBody, answer, async (body, given) => {
      const [firstCall, firstLine] = [gateway.calls.length, gateway.log.length];
      answerWith(given);

      const response = await gateway.post(body);
      const answered = (await response.json()) as Response;

      expect([200, 400, 405]).toContain(response.status);
      expect(answered.data !== undefined || answered.errors !== undefined).toBe(true);
      expectSoundErrors(answered, response.headers.get('x-request-id'));
      for (const { extensions } of answered.errors ?? []) seen.add(extensions['code']);
      const calls = gateway.calls.slice(firstCall).filter(({ method }) => method !== 'GET');
      const isWrite = isMutation(body.query, body.operationName);
      expect(calls.length).toBe(isWrite ? countToldCalls(answered) : 0);
      expect(findDefects(gateway, firstLine)).toEqual([]);
      expect(JSON.stringify([answered.errors, gateway.log.slice(firstLine)])).not.toContain(canary);
      if (calls.length > 0) seen.add('calls');
    });
    await fc.assert(property, parameters);

    expect(await gateway.graphql('{ __typename }')).toEqual({ data: { __typename: 'Query' } });
    expect(findDefects(gateway)).toEqual([]);
    expect([...seen]).toEqual(
      expect.arrayContaining([
        'calls',
        'GRAPHQL_PARSE_FAILED',
        'GRAPHQL_VALIDATION_FAILED',
        'UPSTREAM_CONTRACT',
      ]),
    );
  },
);

it(
  'answers any bytes with valid HTTP, never with 500, and always with a known code',
  { timeout },
  async () => {
    const { gateway, answerWith } = await startFuzzedGateway();
    const seen = new Set<number>();

    const property = fc.asyncProperty(rawRequest, answer, async (bytes, given) => {
      const firstLine = gateway.log.length;
      answerWith(given);

      const socket = await connectTo(gateway.url);
      socket.end(bytes);
      const text = await readToEnd(socket);
      socket.destroy();

      for (const [, status, headers = '', body = ''] of text.matchAll(
        /^HTTP\/1\.1 (\d{3}) [^\r]*\r\n([^]*?)\r\n\r\n([^]*?)(?=HTTP\/1\.1 \d|$)/gm,
      )) {
        seen.add(Number(status));
        expect(Number(status)).toBeLessThan(500);
        if (!body.startsWith('{"errors"')) continue;
        const requestId = /^x-request-id: (\S+)/m.exec(headers)?.[1];
        expectSoundErrors(
          JSON.parse(Buffer.from(body, 'latin1').toString()) as Response,
          requestId,
        );
      }
      expect(text === '' || text.startsWith('HTTP/1.1 ')).toBe(true);
      expect(findDefects(gateway, firstLine)).toEqual([]);
    });
    await fc.assert(property, parameters);

    expect(await gateway.graphql('{ __typename }')).toEqual({ data: { __typename: 'Query' } });
    expect(findDefects(gateway)).toEqual([]);
    expect([...seen]).toEqual(expect.arrayContaining([400, 404]));
  },
);
