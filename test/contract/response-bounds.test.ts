import { describe, expect, it } from 'vitest';
import { repeat } from '../support/bombs.js';
import { startTestGateway, type TestGateway } from '../support/gateway.js';
import { answerJson } from '../support/study-api.js';
import { toPage, wholeStudy } from '../support/studies.js';

const { id } = wholeStudy;
const sixteen = `description ${repeat(15, (index) => `a${index}: description`)}`;
/** Settings under which a response has at most a million bytes. */
const bound = { maxAnswerBytes: 1_000_000, answerBudgetBytes: 1_000_000 };

/** Values that JSON.stringify writes in different ways, among long strings, long lists and deep objects. */
const odd = {
  ...wholeStudy,
  description: `${'é"\\\u2028\u0001𝒳'.repeat(8_000)}\ud800`,
  strategy: 'x'.repeat(50_000),
  audiences: Array.from({ length: 3_000 }, (_, index) => `a "${index}"`),
  solution: {
    deep: JSON.parse(`${'[{"a":'.repeat(200)}"${'y'.repeat(20_000)}"${'}]'.repeat(200)}`),
    names: Object.fromEntries(Array.from({ length: 2_000 }, (_, index) => [`n"${index}`, index])),
    empty: [{}, [], null, '', 0.1, 1e21, true],
    wide: Array.from({ length: 300 }, (_, index) => ({ index, text: 'z'.repeat(100) })),
  },
};

function refused(field: string, extensions: object = {}): object {
  return {
    message: expect.stringContaining('more than 1,000,000 bytes, which is the limit'),
    locations: [{ line: 1, column: expect.any(Number) }],
    path: [field],
    extensions: {
      code: 'BAD_USER_INPUT',
      retryable: false,
      requestId: expect.any(String),
      ...extensions,
    },
  };
}

function toUrl({ url }: TestGateway, query: string): string {
  return `${url}/graphql?query=${encodeURIComponent(query)}`;
}

describe.each([
  ['by a plan', true],
  ['by graphql-js', false],
])('%s', (_, plans) => {
  it('sends a page with 16 aliases of long values as JSON.stringify writes it, over POST and GET', async () => {
    const api = answerJson(toPage([odd, { ...odd, solution: { __proto__: null, a: '-' } }]));
    const gateway = await startTestGateway({ plans, api });
    const query = `{ studies { items { id strategy audiences solution ${sixteen} } total } }`;

    const byPost = await (await gateway.post({ query })).text();
    const headers = { 'apollo-require-preflight': 'true', authorization: 'Bearer token' };
    const byGet = await (await fetch(toUrl(gateway, query), { headers })).text();

    const items = [odd, { ...odd, solution: { a: '-' } }].map((study) => {
      const { strategy, audiences, solution, description } = study;
      const item: Record<string, unknown> = { id, strategy, audiences, solution, description };
      for (let index = 0; index < 15; index += 1) item[`a${index}`] = description;
      return item;
    });
    const expected = `${JSON.stringify({ data: { studies: { items, total: 2 } } })}\n`;
    expect(byPost === expected).toBe(true);
    expect(byGet === expected).toBe(true);
  });

  it('a list that makes the response too long is null with one error, and other root fields are sent', async () => {
    const long = { ...wholeStudy, description: 'x'.repeat(100_000) };
    const gateway = await startTestGateway({
      ...bound,
      plans,
      api: (response, call, request) =>
        answerJson(call.url.includes(id) ? long : toPage([long]))(response, call, request),
    });

    const told = await gateway.graphql(
      `{ studies { items { ${sixteen} } } study(id: "${id}") { id } }`,
    );

    expect(told).toEqual({ data: { studies: null, study: { id } }, errors: [refused('studies')] });
    // The budget is free again.
    expect(await gateway.graphql(`{ study(id: "${id}") { id } }`)).toEqual({
      data: { study: { id } },
    });
  });

  it('a mutation whose response is too long stays APPLIED with its id', async () => {
    const long = { ...wholeStudy, description: 'x'.repeat(100_000) };
    const gateway = await startTestGateway({ ...bound, plans, api: answerJson(long) });

    const told = await gateway.graphql(`mutation { createStudy(input: {}) { id ${sixteen} } }`);

    expect(told).toEqual({
      data: { createStudy: null },
      errors: [refused('createStudy', { outcome: 'APPLIED', studyId: id })],
    });
    expect(gateway.log.filter(({ msg }) => msg === 'operation')).toMatchObject([
      { code: 'BAD_USER_INPUT', outcome: 'APPLIED' },
    ]);
  });
});
