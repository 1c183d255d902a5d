import { describe, expect, it } from 'vitest';
import { post } from '../support/bombs.js';
import { measureBest } from '../support/cpu.js';
import { startTestGateway } from '../support/gateway.js';
import { wholeStudy } from '../support/studies.js';
import { variableBombs } from './variable-bombs.fixture.js';

const MAX_CPU_MS = 30;

/** Texts of the bombs that no answer may repeat beyond 100 characters. */
const longTexts = ['x', 'k', '1', 'Did you mean ', 'TRUE_'].map((text) =>
  text.repeat(Math.ceil(101 / text.length)),
);

const production = { isProduction: true, introspection: false, sandbox: false };

describe.each([
  ['by a plan, with a token', production, {}],
  ['by a plan, without a token', production, { authorization: '' }],
  ['by graphql-js, with a token', { plans: false }, {}],
  ['by graphql-js, without a token', { plans: false }, { authorization: '' }],
])('%s', (_, options, headers) => {
  it.each(variableBombs)('costs less than 30 ms of CPU: %s', async (__, body, verdict) => {
    const gateway = await startTestGateway(options);
    let status = 0;
    let text = '';

    const best = await measureBest(MAX_CPU_MS, async () => {
      const response = await gateway.post(body, headers);
      status = response.status;
      text = await response.text();
    });

    expect(best).toBeLessThan(MAX_CPU_MS);
    const { data, errors = [] } = JSON.parse(text);
    if (verdict === 'accepted') {
      const isCalled = gateway.calls.length > 0;
      expect({ status, isCalled }).toEqual({
        status: 200,
        isCalled: !('authorization' in headers),
      });
      return;
    }
    // An argument that its resolver refuses has the status 200 beside a null.
    expect(status).toBe(data ? 200 : 400);
    expect(text.length).toBeLessThan(16 * 1024);
    for (const long of longTexts) expect(text).not.toContain(long);
    const code =
      verdict === 'too many values'
        ? 'BAD_USER_INPUT'
        : expect.stringMatching(/^(BAD_USER_INPUT|BAD_REQUEST|OPERATION_RESOLUTION_FAILURE)$/);
    expect(errors).toEqual(
      errors.map(() =>
        expect.objectContaining({
          message:
            verdict === 'too many values'
              ? expect.stringMatching(/^The request body has \d{5,6} values, and at most 10000/)
              : expect.any(String),
          extensions: expect.objectContaining({ code, outcome: 'NOT_SENT', retryable: false }),
        }),
      ),
    );
    expect(errors.length).toBeGreaterThan(0);
    expect(gateway.calls).toEqual([]);
  });
});

describe('the values of a body', () => {
  const create = 'mutation ($input: CreateStudyInput!) { createStudy(input: $input) { id } }';
  /** Seven values, and nine kinds of text that look like more. */
  const others = String.raw`{ "language" : "[{,\"\\" , "progress":{ }, "files":[
    ], "problems" : [ "" ] , "status":"\\\"{\u005b", "bookmarked":true }`;
  const toBody = (count: number): string =>
    `{"query":${JSON.stringify(create)},"variables":{"input":{"audiences":[${Array(count).fill('"a,[{"')}],${others.slice(1)}}}`;

  it('may be 10,000, and one more is refused', async () => {
    const gateway = await startTestGateway();

    // The others: the body, its query, its variables, their input, audiences, and seven.
    const within = await post(gateway, toBody(10_000 - 12));
    const over = await post(gateway, toBody(10_000 - 11));

    expect(within).toEqual({ status: 200, body: { data: { createStudy: { id: wholeStudy.id } } } });
    expect(over).toEqual({
      status: 400,
      body: {
        errors: [
          {
            message:
              'The request body has 10001 values, and at most 10000 are allowed: strings, numbers, lists, objects and the like, at every level.',
            extensions: {
              code: 'BAD_USER_INPUT',
              outcome: 'NOT_SENT',
              retryable: false,
              requestId: expect.any(String),
            },
          },
        ],
      },
    });
    expect(gateway.calls).toHaveLength(1);
  });

  it('reach the Study API, thousands of strings in every list', async () => {
    const gateway = await startTestGateway();
    const texts = Array.from({ length: 1_600 }, (_, index) => `text ${index}`);
    const lists = ['audiences', 'files', 'knowledgeGraphs', 'interviews', 'problems'];
    const input = Object.fromEntries(lists.map((name) => [name, texts]));

    const { errors } = await gateway.graphql(create, { input });

    expect(errors).toBeUndefined();
    expect(gateway.calls.map(({ body }) => JSON.parse(body))).toEqual([input]);
  });
});
