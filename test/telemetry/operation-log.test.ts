import { createHash, hash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { CreateStudyDocument, StudyDocument } from 'study-gateway-client';
import { issuer, startIssuer } from '../support/issuer.js';
import { ask } from '../support/standing.js';
import { startTestGateway, type TestGateway } from '../support/gateway.js';
import { token } from '../support/post.js';
import { wholeStudy } from '../support/studies.js';
import { answerJson } from '../support/study-api.js';

const { id } = wholeStudy;

/** Fields that pino adds to each log line. */
const added = new Set(['level', 'time', 'pid', 'hostname', 'msg']);

/** Returns the log lines of operations, without the fields that pino adds. */
function lines({ log }: TestGateway): Record<string, unknown>[] {
  return log
    .filter(({ msg }) => msg === 'operation')
    .map((line) => Object.fromEntries(Object.entries(line).filter(([name]) => !added.has(name))));
}

function toLogId(text: string): string {
  return createHash('sha256').update(text).digest('base64url').slice(0, 16);
}

describe('the line of an operation', () => {
  it('has the operation, its caller, its duration, and the duration of its REST calls', async () => {
    const gateway = await startTestGateway();

    await gateway.graphql(
      CreateStudyDocument,
      { input: {} },
      { 'apollographql-client-name': 'dashboard', 'apollographql-client-version': '1.2.3' },
    );

    expect(lines(gateway)).toEqual([
      {
        requestId: gateway.calls[0]?.headers['x-request-id'],
        caller: toLogId(token),
        client: 'dashboard',
        clientVersion: '1.2.3',
        operation: 'mutation',
        operationName: 'CreateStudy',
        ms: expect.any(Number),
        restMs: expect.any(Number),
        restCalls: 1,
        writes: [{ field: 'createStudy', outcome: 'APPLIED', id: wholeStudy.id }],
      },
    ]);
    const [{ ms, restMs } = {}] = lines(gateway);
    expect(restMs).toBeGreaterThan(0);
    expect(ms).toBeGreaterThanOrEqual(restMs as number);
  });

  it('has the most serious outcome of several errors', async () => {
    const gateway = await startTestGateway({
      api: (response, call) => {
        const status = call.body.includes('lost') ? 500 : 422;
        return answerJson({}, status)(response, call, undefined!);
      },
    });

    await gateway.graphql(
      'mutation M { a: createStudy(input: {}) { id } b: createStudy(input: { language: "lost" }) { id } }',
    );

    expect(lines(gateway)).toMatchObject([
      {
        operationName: 'M',
        code: 'UPSTREAM_ERROR',
        outcome: 'UNKNOWN',
        restCalls: 2,
      },
    ]);
  });

  it('counts two concurrent calls as two calls, but their common time once', async () => {
    // A call takes much longer than the work of the gateway itself.
    const gateway = await startTestGateway({
      api: (...exchange) => void setTimeout(() => answerJson(wholeStudy)(...exchange), 150),
    });

    await gateway.graphql(`{ a: study(id: "${id}") { id } b: studies { total } }`);

    const [{ ms = 0, restMs, restCalls } = {}] = lines(gateway);
    expect(restCalls).toBe(2);
    expect(restMs).toBeGreaterThanOrEqual(149);
    expect(restMs).toBeLessThanOrEqual(Number(ms));
  });

  it('has no operation name for a document without an operation, and cuts a long one', async () => {
    const gateway = await startTestGateway();

    await gateway.graphql('{', {}, { authorization: '' });
    await gateway.graphql(`query ${'x'.repeat(80)} { __typename }`);

    expect(lines(gateway)).toEqual([
      {
        requestId: expect.any(String),
        code: 'GRAPHQL_PARSE_FAILED',
        outcome: 'NOT_SENT',
        ms: expect.any(Number),
        restMs: 0,
        restCalls: 0,
      },
      expect.objectContaining({ operationName: 'x'.repeat(64) }),
    ]);
  });
});

describe('the caller in the line of an operation', () => {
  it('is an id for each token that does not reveal the token', async () => {
    const gateway = await startTestGateway();
    const ids = async (authorization: string) => {
      await gateway.graphql('{ studies { total } }', {}, { authorization });
      return lines(gateway).at(-1)?.['caller'];
    };

    const ada = await ids('Bearer ada');
    expect(ada).toBe(toLogId('ada'));
    expect(await ids('bearer ada')).toBe(ada);
    expect(await ids('Bearer eve')).not.toBe(ada);
    expect(await ids('')).toBeUndefined();
    expect(await ids('Basic ada')).toBeUndefined();
  });

  it('is an id for the subject of a verified JWT that does not reveal the subject', async () => {
    const keys = await startIssuer();
    const gateway = await startTestGateway(keys.options);
    const jwt = await keys.sign({ sub: 'ada' });

    // Verifies no token for an operation that needs no caller.
    await gateway.graphql('{ __typename }', {}, { authorization: `Bearer ${jwt}` });
    expect(keys.fetches()).toBe(0);
    await ask(gateway, jwt);
    await ask(gateway, await keys.sign({ sub: 'ada', jti: 'another' }));
    await ask(gateway, await keys.sign({ aud: 'another' }));

    const id = toLogId(`jwt:${issuer}:ada`);
    expect(lines(gateway).map(({ caller }) => caller)).toEqual([undefined, id, id, undefined]);
  });
});

describe('the writes of an operation', () => {
  const key = '7d3c1f7e-8a53-4e0b-9a52-3d1f6c0a2b11';
  const write = `mutation { made: createStudy(idempotencyKey: "${key}", input: {}) { id } }`;
  const hashed = hash('sha256', JSON.stringify(['', key]), 'base64url');

  it.each([
    { status: 201, outcome: 'APPLIED', id: wholeStudy.id },
    { status: 422, outcome: 'REJECTED', id: undefined },
    { status: 500, outcome: 'UNKNOWN', id: undefined },
  ])('have field, outcome, id and the hash of the key: $outcome', async (expected) => {
    const { status, outcome, id: shown } = expected;
    const gateway = await startTestGateway({ api: answerJson(wholeStudy, status) });

    await gateway.graphql(write);
    await gateway.graphql(StudyDocument, { id });
    await gateway.graphql(`mutation { editStudy(id: "${id}", input: {}) { id } }`);

    const lines = gateway.log.filter(({ msg }) => msg === 'operation');
    const entry = { field: 'made', outcome, key: hashed };
    expect(lines.map(({ writes }) => writes)).toEqual([
      [shown === undefined ? entry : { ...entry, id: shown }],
      undefined,
      [{ field: 'editStudy', outcome, id }],
    ]);
  });
});
