import { describe, expect, it } from 'vitest';
import { startTestGateway, type TestGateway } from '../support/gateway.js';
import { answerJson } from '../support/study-api.js';
import { toPage, wholeStudy } from '../support/studies.js';

const { id } = wholeStudy;
const fields = 'id strategy audiences solution description';
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
  it('sends a page of long values as JSON.stringify writes it, over POST and GET', async () => {
    const api = answerJson(toPage([odd, { ...odd, solution: { __proto__: null, a: '-' } }]));
    const gateway = await startTestGateway({ plans, api });
    const query = `{ studies { items { ${fields} } total } }`;

    const byPost = await (await gateway.post({ query })).text();
    const headers = { 'apollo-require-preflight': 'true', authorization: 'Bearer token' };
    const byGet = await (await fetch(toUrl(gateway, query), { headers })).text();

    const items = [odd, { ...odd, solution: { a: '-' } }].map((study) => {
      const { strategy, audiences, solution, description } = study;
      return { id, strategy, audiences, solution, description };
    });
    const expected = `${JSON.stringify({ data: { studies: { items, total: 2 } } })}\n`;
    expect(byPost === expected).toBe(true);
    expect(byGet === expected).toBe(true);
  });

  it('a list that makes the response too long is null with one error, and other root fields are sent', async () => {
    const description = 'x'.repeat(300_000);
    const gateway = await startTestGateway({
      ...bound,
      plans,
      api: answerJson(toPage([{ ...wholeStudy, description }])),
    });
    const names = ['a', 'b', 'c', 'd'];

    const told = await gateway.graphql(
      `{ ${names.map((name) => `${name}: studies { items { description } }`).join(' ')} }`,
    );

    const page = { items: [{ description }] };
    expect(told).toEqual({
      data: { a: page, b: page, c: page, d: null },
      errors: [refused('d')],
    });
    // The budget is free again.
    expect(await gateway.graphql('{ studies { total } }')).toEqual({
      data: { studies: { total: 1 } },
    });
  });

  it('a mutation whose response is too long stays APPLIED with its id', async () => {
    const rest = JSON.stringify({ id, description: '' }).length;
    const long = { id, description: 'x'.repeat(bound.maxAnswerBytes - rest) };
    const gateway = await startTestGateway({ ...bound, plans, api: answerJson(long) });

    const told = await gateway.graphql('mutation { createStudy(input: {}) { id description } }');

    expect(told).toEqual({
      data: { createStudy: null },
      errors: [refused('createStudy', { outcome: 'APPLIED', studyId: id })],
    });
    expect(gateway.log.filter(({ msg }) => msg === 'operation')).toMatchObject([
      { code: 'BAD_USER_INPUT', outcome: 'APPLIED' },
    ]);
  });
});
