import { describe, expect, it } from 'vitest';
import { post, type Result } from '../support/bombs.js';
import { startTestGateway, type TestGateway } from '../support/gateway.js';
import { toPage } from '../support/studies.js';
import { answerJson } from '../support/study-api.js';

const message = expect.stringMatching(
  /^The lists of one operation ask for 5\d\d studies together, and at most 500 are allowed; a list without a size asks for 50\.$/,
);
const refused: Result = {
  status: 400,
  body: {
    errors: [
      {
        message,
        // At most five of the lists, however many there are.
        locations: expect.any(Array),
        extensions: {
          code: 'BAD_USER_INPUT',
          outcome: 'NOT_SENT',
          retryable: false,
          fieldErrors: [{ path: ['size'], message }],
          requestId: expect.any(String),
        },
      },
    ],
  },
};

const startWithPages = (options: { maxListedStudies?: number } = {}): Promise<TestGateway> =>
  startTestGateway({ api: answerJson(toPage([])), ...options });

/** Returns five list fields: four of 100 studies each, and one with the arguments `last`. No two are equal reads. */
const lists = (last: string): string =>
  ['a', 'b', 'c', 'd']
    .map((name, index) => `${name}: studies(size: 100, projectId: "${toId(index)}") { page }`)
    .join(' ') + ` e: studies${last} { page }`;

function toId(index: number): string {
  return `00000000-0000-4000-8000-00000000000${index}`;
}

describe('the lists of one operation', () => {
  it.each<[string, object, object]>([
    [
      'by their literals',
      { query: `{ ${lists('(size: 100)')} }` },
      { query: `{ ${lists('(size: 100)')} f: studies(size: 1) { page } }` },
    ],
    [
      'a list without a size',
      { query: `{ ${lists('(size: 50)')} f: studies { page } }` },
      { query: `{ ${lists('(size: 51)')} f: studies { page } }` },
    ],
    [
      'a size that is null',
      { query: `{ ${lists('(size: 50)')} f: studies(size: null) { page } }` },
      { query: `{ ${lists('(size: 51)')} f: studies(size: null) { page } }` },
    ],
    [
      'by a variable',
      {
        query: `query ($s: Int) { ${lists('(size: $s)')} f: studies(size: $s) { page } }`,
        variables: { s: 50 },
      },
      {
        query: `query ($s: Int) { ${lists('(size: $s)')} f: studies(size: $s) { page } }`,
        variables: { s: 51 },
      },
    ],
    [
      'by a variable that is absent',
      { query: `query ($s: Int) { ${lists('(size: $s)')} f: studies(size: 50) { page } }` },
      { query: `query ($s: Int) { ${lists('(size: $s)')} f: studies(size: 51) { page } }` },
    ],
    [
      'by the default of a variable',
      { query: `query ($s: Int = 50) { ${lists('(size: $s)')} f: studies(size: $s) { page } }` },
      { query: `query ($s: Int = 51) { ${lists('(size: $s)')} f: studies(size: $s) { page } }` },
    ],
    [
      'in a fragment',
      { query: `{ ...F f: studies { page } } fragment F on Query { ${lists('(size: 50)')} }` },
      { query: `{ ...F f: studies { page } } fragment F on Query { ${lists('(size: 51)')} }` },
    ],
    [
      'in inline fragments of fragments',
      {
        query: `{ ...F } fragment F on Query { ... on Query { ...G } f: studies { page } } fragment G on Query { ${lists('(size: 50)')} }`,
      },
      {
        query: `{ ...F } fragment F on Query { ... on Query { ...G } f: studies { page } } fragment G on Query { ${lists('(size: 51)')} }`,
      },
    ],
    [
      'one of two operations',
      {
        query: `query A { ${lists('(size: 100)')} } query B { ${lists('(size: 100)')} }`,
        operationName: 'B',
      },
      {
        query: `query A { __typename } query B { ${lists('(size: 100)')} ...F } fragment F on Query { studies { page } }`,
        operationName: 'B',
      },
    ],
  ])('may ask for 500 studies and not for more: %s', async (_, within, over) => {
    const gateway = await startWithPages();

    const accepted = await post(gateway, within);
    const calls = gateway.calls.length;
    const result = await post(gateway, over);

    expect(accepted).toMatchObject({ status: 200 });
    expect(accepted.body.errors).toBeUndefined();
    expect(calls).toBeGreaterThan(4);
    expect(result).toEqual(refused);
    expect(gateway.calls).toHaveLength(calls);
  });

  it('are each counted once, even if several selections share a response name', async () => {
    const gateway = await startWithPages();

    const result = await post(gateway, {
      query: `{ ${lists('(size: 100)')} ${lists('(size: 100)').replaceAll('page', 'total')} }`,
    });

    expect(result.body.errors).toBeUndefined();
    expect(gateway.calls).toHaveLength(5);
  });

  it('are refused before any call of the operation when they ask for more', async () => {
    const gateway = await startWithPages();

    const result = await post(gateway, {
      query: `{ s: study(id: "123e4567-e89b-12d3-a456-426614174000") { id } ${lists('')} f: studies(size: 51) { page } }`,
    });

    expect(result).toEqual(refused);
    expect(gateway.calls).toEqual([]);
  });

  it.each(['size: -1000', 'size: 0', 'size: 101'])(
    'count at least one study for a list whose size is invalid: %s',
    async (size) => {
      const gateway = await startWithPages();

      const within = await post(gateway, {
        query: `{ ${lists('(size: 100)')} f: studies(${size}) { page } }`,
      });
      const over = await post(gateway, {
        query: `{ ${lists('(size: 100)')} f: studies(${size}) { page } g: studies(size: 1) { page } }`,
      });

      expect(within.body.errors).toMatchObject([
        { path: ['f'], extensions: { fieldErrors: [{ path: ['size'] }] } },
      ]);
      expect(over).toEqual(refused);
    },
  );

  it('may ask for as many studies as maxListedStudies allows', async () => {
    const gateway = await startWithPages({ maxListedStudies: 10 });

    const within = await post(gateway, { query: '{ studies(size: 10) { page } }' });
    const over = await post(gateway, { query: '{ studies(size: 11) { page } }' });
    const without = await post(gateway, { query: '{ studies { page } }' });

    expect(within).toEqual({ status: 200, body: { data: { studies: { page: 1 } } } });
    for (const { status } of [over, without]) expect(status).toBe(400);
    expect(gateway.calls).toHaveLength(1);
  });

  it('are refused with the locations of the first five', async () => {
    const gateway = await startWithPages();
    const query = `{ ${lists('(size: 100)')} f: studies(size: 1) { page } }`;

    const { body } = await post(gateway, { query });

    const locations = ['a:', 'b:', 'c:', 'd:', 'e:'].map((name) => ({
      line: 1,
      column: query.indexOf(`${name} studies`) + 1,
    }));
    expect(body.errors).toMatchObject([{ message, locations }]);
  });

  it('leave variables of a wrong type to the validation by GraphQL', async () => {
    const gateway = await startWithPages();

    const result = await post(gateway, {
      query: `query ($s: Int) { ${lists('(size: $s)')} f: studies(size: 51) { page } }`,
      variables: { s: 'x' },
    });

    expect(result.body.errors).toMatchObject([
      { extensions: { code: 'BAD_USER_INPUT', fieldErrors: [{ path: ['size'] }] } },
    ]);
  });
});
