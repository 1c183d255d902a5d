import type { ExecutionResult } from 'graphql';
import { describe, expect, it } from 'vitest';
import { post } from '../support/bombs.js';
import { measureBest } from '../support/cpu.js';
import { startTestGateway, type TestGateway, type TestGatewayOptions } from '../support/gateway.js';
import type { Headers } from '../support/post.js';
import { wholeStudy } from '../support/studies.js';
import { variableBombs, type Verdict } from './variable-bombs.fixture.js';

const MAX_CPU_MS = 30;

/** Texts of the bombs that no answer may repeat beyond 400 characters. */
const longTexts = ['x', 'k', '1', 'Did you mean ', 'TRUE_'].map((text) =>
  text.repeat(Math.ceil(401 / text.length)),
);

const production = { isProduction: true, introspection: false, sandbox: false };

const withVerdict = (wanted: Verdict): [string, string][] =>
  variableBombs.flatMap(([what, body, verdict]) => (verdict === wanted ? [[what, body]] : []));

/** Sends a body until a run is cheap enough; returns the CPU time of the cheapest run and the last answer. */
async function measure(
  gateway: TestGateway,
  body: string,
  headers: Headers,
): Promise<{ ms: number; status: number; text: string }> {
  let status = 0;
  let text = '';
  const ms = await measureBest(MAX_CPU_MS, async () => {
    const response = await gateway.post(body, headers);
    status = response.status;
    text = await response.text();
  });
  return { ms, status, text };
}

/** Returns what the errors of `text` must be: none of them sent, with a message and a code as given. */
function toRefusals(text: string, message: unknown, code: unknown): readonly unknown[] {
  const { errors }: ExecutionResult = JSON.parse(text);
  expect(errors).not.toHaveLength(0);
  const extensions = expect.objectContaining({ code, outcome: 'NOT_SENT', retryable: false });
  return errors!.map(() => expect.objectContaining({ message, extensions }));
}

describe.each<[string, TestGatewayOptions, Headers, boolean]>([
  ['by a plan, with a token', production, {}, true],
  ['by a plan, without a token', production, { authorization: '' }, false],
  ['by graphql-js, with a token', { plans: false }, {}, true],
  ['by graphql-js, without a token', { plans: false }, { authorization: '' }, false],
])('%s', (_, options, headers, hasToken) => {
  it.each(withVerdict('too many values'))(
    'costs less than 30 ms of CPU to refuse for their number: %s',
    async (__, body) => {
      const gateway = await startTestGateway(options);

      const { ms, status, text } = await measure(gateway, body, headers);

      expect(ms).toBeLessThan(MAX_CPU_MS);
      expect(status).toBe(400);
      const message = expect.stringMatching(
        /^The request body has more than 20,000 commas and opening brackets /,
      );
      expect(JSON.parse(text)).toEqual({ errors: toRefusals(text, message, 'BAD_USER_INPUT') });
      expect(gateway.calls).toEqual([]);
    },
  );

  it.each(withVerdict('refused'))(
    'costs less than 30 ms of CPU to refuse: %s',
    async (__, body) => {
      const gateway = await startTestGateway(options);

      const { ms, status, text } = await measure(gateway, body, headers);

      expect(ms).toBeLessThan(MAX_CPU_MS);
      const isUnknown = !hasToken && text.includes('"UNAUTHENTICATED"');
      // An argument that its resolver refuses has the status 200 beside a null.
      expect(status).toBe(isUnknown ? 401 : text.includes('"data":') ? 200 : 400);
      expect(text.length).toBeLessThan(16 * 1024);
      for (const long of longTexts) expect(text).not.toContain(long);
      const codes = isUnknown
        ? /^UNAUTHENTICATED$/
        : /^(BAD_USER_INPUT|BAD_REQUEST|OPERATION_RESOLUTION_FAILURE)$/;
      const code = expect.stringMatching(codes);
      expect(JSON.parse(text).errors).toEqual(toRefusals(text, expect.any(String), code));
      expect(gateway.calls).toEqual([]);
    },
  );

  it.each(withVerdict('accepted'))('costs less than 30 ms of CPU: %s', async (__, body) => {
    const gateway = await startTestGateway(options);

    const { ms, status } = await measure(gateway, body, headers);

    expect(ms).toBeLessThan(MAX_CPU_MS);
    expect({ status, isCalled: gateway.calls.length > 0 }).toEqual({
      status: hasToken ? 200 : 401,
      isCalled: hasToken,
    });
  });
});

describe('the separators of a body', () => {
  const create = 'mutation ($input: CreateStudyInput!) { createStudy(input: $input) { id } }';
  /** Nine separators, and nine kinds of text that look like more. */
  const others = String.raw`{ "language" : "[{,\"\\" , "progress":{ }, "files":[
    ], "problems" : [ "" ] , "status":"\\\"{\u005b", "bookmarked":true }`;
  const toBody = (count: number): string =>
    `{"query":${JSON.stringify(create)},"variables":{"input":{"audiences":[${Array(count).fill('"a,[{"').join(',')}],${others.slice(1)}}}`;

  it('may be 20,000, and one more is refused', async () => {
    const gateway = await startTestGateway();

    const within = await post(gateway, toBody(20_000 - 13));
    const over = await post(gateway, toBody(20_000 - 12));

    expect(within).toEqual({ status: 200, body: { data: { createStudy: { id: wholeStudy.id } } } });
    expect(over).toEqual({
      status: 400,
      body: {
        errors: [
          {
            message:
              'The request body has more than 20,000 commas and opening brackets outside of its strings, which is the limit.',
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
