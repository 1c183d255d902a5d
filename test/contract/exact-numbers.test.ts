import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { parseExactJson } from '../../src/json/parse-json.js';
import { startTestGateway, type TestGateway, type TestGatewayOptions } from '../support/gateway.js';
import { wholeStudy } from '../support/studies.js';

const { id } = wholeStudy;

/** Numbers as an API may write them that a double would change. */
const inexact = [
  '12345678901234567890',
  '9007199254740993',
  '0.12345678901234567890123',
  '1e400',
  '-1E+400',
  '1e-400',
  '1.234567890123456789e5',
  '-0',
  `1${'0'.repeat(500)}`,
];

/** Returns the text of a whole study with other JSON texts in the place of some fields. */
function toBody(texts: Readonly<Record<string, string>>): string {
  const fields = Object.entries(wholeStudy).map(
    ([name, value]) => `"${name}":${texts[name] ?? JSON.stringify(value)}`,
  );
  return `{${fields.join(',')}}`;
}

/** Starts a gateway before an API that answers each call with these bytes. */
function startWith(body: string, options: TestGatewayOptions = {}): Promise<TestGateway> {
  return startTestGateway({ ...options, api: (response) => void response.end(body) });
}

async function postQuery({ post }: TestGateway, query: string): Promise<string> {
  const response = await post({ query });
  return (await response.text()).trim();
}

const create = 'mutation { createStudy(input: {}) { solution } }';

describe('a number in an undocumented object', () => {
  it.each(inexact)('arrives as it is written: %s', async (number) => {
    const gateway = await startWith(toBody({ solution: `{"a": [${number} ],"b":${number}}` }));

    expect(await postQuery(gateway, create)).toBe(
      `{"data":{"createStudy":{"solution":{"a":[${number}],"b":${number}}}}}`,
    );
  });

  it.each([
    ['1.0', '1'],
    ['1e2', '100'],
    ['12.50', '12.5'],
    ['0.30000000000000004', '0.30000000000000004'],
    ['6.123233995736766e-17', '6.123233995736766e-17'],
    ['9007199254740992', '9007199254740992'],
    ['100000000000000000000', '100000000000000000000'],
    ['0.000000000000', '0'],
    ['5000e-3', '5'],
    ['12.000000000000000000', '12'],
    ['-0.5', '-0.5'],
  ])('arrives with an equal value: %s as %s', async (number, written) => {
    const gateway = await startWith(toBody({ solution: `{"a":${number}}` }));

    expect(await postQuery(gateway, create)).toBe(
      `{"data":{"createStudy":{"solution":{"a":${written}}}}}`,
    );
  });

  const objects = {
    audiencesObj: '[{"size":12345678901234567890}]',
    problemsObj: '[{},{"weight":-0}]',
    solution: '{"a":1e400}',
    researchGoal: '{"a":[{"b":0.12345678901234567890}]}',
  };
  const selected = Object.keys(objects).join(' ');
  const texts = Object.entries(objects).map(([name, text]) => `"${name}":${text}`);
  const study = `{${texts.join(',')}}`;

  it.each([
    ['createStudy', `mutation { createStudy(input: {}) { ${selected} } }`],
    ['editStudy', `mutation { editStudy(id: "${id}", input: {}) { ${selected} } }`],
    ['study', `{ study(id: "${id}") { ${selected} } }`],
    // Two root fields of a query have no plan: graphql-js executes the operation.
    ['study', `{ __typename study(id: "${id}") { ${selected} } }`],
  ])('arrives as it is written in all four fields, by %s: %s', async (field, query) => {
    const gateway = await startWith(toBody(objects));

    const response = await postQuery(gateway, query);

    const typename = query.includes('__typename') ? '"__typename":"Query",' : '';
    expect(response).toBe(`{"data":{${typename}"${field}":${study}}}`);
  });

  it('arrives as it is written in a list', async () => {
    const gateway = await startWith(`{"items":[${toBody(objects)},${toBody({})}],"page":1}`);

    const response = await postQuery(gateway, '{ studies { items { solution } } }');

    const other = JSON.stringify(wholeStudy.solution);
    expect(response).toBe(
      `{"data":{"studies":{"items":[{"solution":{"a":1e400}},{"solution":${other}}]}}}`,
    );
  });

  it('changes nothing else in the answer', async () => {
    const inside =
      '{"2":-0,"1":[],"":{},"__proto__":{"a":null},"é😀":"\\ud800\\"\\\\","a":[true,false,[[ ]],""],"\\u0062":"-0,1e400 ]"}';
    const gateway = await startWith(toBody({ solution: inside.replaceAll(':', ' :\n\t') }));

    const written = JSON.stringify(JSON.parse(inside)).replace('"2":0', '"2":-0');
    expect(await postQuery(gateway, create)).toBe(
      `{"data":{"createStudy":{"solution":${written}}}}`,
    );
  });

  it('is no object', async () => {
    const gateway = await startWith(
      toBody({ solution: '-0', audiencesObj: '[1e400]', researchGoal: '{}' }),
    );

    const { data, errors } = await gateway.graphql(
      'mutation { createStudy(input: {}) { solution audiencesObj researchGoal } }',
    );

    expect(data).toEqual({ createStudy: { solution: null, audiencesObj: null, researchGoal: {} } });
    expect(errors?.map(({ message }) => message)).toEqual([
      'The Study API answered "solution" with a number where an object or null was expected.',
      'The Study API answered "audiencesObj" with an array where an array of objects was expected.',
    ]);
  });

  it('is drift of a number', async () => {
    const { graphql, log } = await startWith(toBody({}).replace('{', '{"more":-0,'));

    await graphql(create);

    expect(log).toContainEqual(
      expect.objectContaining({ field: 'more', expected: 'nothing', received: 'a number' }),
    );
  });
});

describe('a number in a documented field', () => {
  it.each(inexact)('is an error at its field: %s', async (number) => {
    const { graphql } = await startWith(
      toBody({ interviewCount: number, progress: `{"total":${number},"failed":1}` }),
    );

    const { data, errors } = await graphql(
      'mutation { createStudy(input: {}) { id interviewCount progress { total failed } } }',
    );

    const progress = { total: null, failed: 1 };
    expect(data).toEqual({ createStudy: { id, interviewCount: null, progress } });
    expect(errors?.map(({ path, message }) => ({ path, message }))).toEqual(
      ['interviewCount', 'progress.total'].map((field) => ({
        path: ['createStudy', ...field.split('.')],
        message: `The Study API answered "${field}" with a number where a 32-bit integer or null was expected.`,
      })),
    );
  });

  it.each(['description', 'bookmarked', 'audiences', 'strategy', 'progress', 'projectId'])(
    'is an error at its field if the field has another type: %s',
    async (field) => {
      const { graphql } = await startWith(toBody({ [field]: '1e400' }));
      const part = field === 'progress' ? `${field} { total }` : field;

      const { data, errors } = await graphql(`mutation { createStudy(input: {}) { id ${part} } }`);

      expect(data).toEqual({ createStudy: { id, [field]: null } });
      expect(errors?.map(({ path }) => path)).toEqual([['createStudy', field]]);
    },
  );

  it.each([
    ['1e2', 100],
    ['12.0', 12],
    ['5000e-3', 5],
  ])('is an integer by its value: %s', async (number, value) => {
    const { graphql } = await startWith(toBody({ interviewCount: number }));

    const result = await graphql('mutation { createStudy(input: {}) { interviewCount } }');

    expect(result).toEqual({ data: { createStudy: { interviewCount: value } } });
  });

  it.each(['total', 'pages'])('is an error at the %s of a page', async (field) => {
    const { graphql } = await startWith(`{"items":[],"page":1,"${field}":12345678901234567890}`);

    const { data, errors } = await graphql(`{ studies { page ${field} } }`);

    expect(data).toEqual({ studies: { page: 1, [field]: null } });
    expect(errors?.map(({ path }) => path)).toEqual([['studies', field]]);
  });

  it('is another page than the first', async () => {
    const { graphql } = await startWith('{"items":[],"page":12345678901234567890}');

    const { data, errors } = await graphql('{ studies { total } }');

    expect(data).toEqual({ studies: null });
    expect(errors?.[0]?.message).toBe(
      'The Study API answered "page" with another page where the page asked for was expected.',
    );
  });

  it('is no study in a list', async () => {
    const { graphql } = await startWith('{"items":[-0],"page":1}');

    const { data, errors } = await graphql('{ studies { page items { id } } }');

    expect(data).toEqual({ studies: { page: 1, items: [null] } });
    expect(errors?.map(({ path }) => path)).toEqual([['studies', 'items', 0]]);
  });
});

it('makes the answer unreadable beside 50,000 levels, which the reviver cannot pass', async () => {
  const deep = `{"a":${'['.repeat(50_000)}${']'.repeat(50_000)}}`;
  const { graphql } = await startWith(toBody({ researchGoal: deep, solution: '{"a":-0}' }));

  const { data, errors } = await graphql(create);

  expect(data).toEqual({ createStudy: null });
  expect(errors).toMatchObject([
    { extensions: { code: 'UPSTREAM_CONTRACT', outcome: 'APPLIED', studyId: id } },
  ]);
});

it('reads a page of a hundred ordinary studies without the reviver', () => {
  const study = {
    ...wholeStudy,
    description: 'Has 12 parts, and: 1e5 words of -0.5; see and 12345678901234567890.',
    solution: { score: 0.123456789, long: 0.5, text: '9'.repeat(40) },
  };
  const page = JSON.stringify({ items: Array.from({ length: 100 }, () => study), total: 100 });
  const parse = vi.spyOn(JSON, 'parse');
  onTestFinished(() => parse.mockRestore());

  parseExactJson(page);

  expect(parse.mock.calls).toEqual([[page]]);
});

describe('a number in a variable', () => {
  const withCount =
    'mutation ($n: Int) { createStudy(input: { interviewCount: $n, progress: { total: $n } }) { id } }';
  const toRequest = (number: string): string =>
    `{"query":${JSON.stringify(withCount)},"variables":{"n":${number}}}`;

  it.each([
    '12345678901234567890',
    '12.00000000000000000001',
    '1e-400',
    '-1e-400',
    '1e400',
    '0.99999999999999999999',
  ])('is refused if a double would make an Int of it: %s', async (number) => {
    const gateway = await startTestGateway();

    const response = await gateway.post(toRequest(number));

    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({
      errors: [{ extensions: { code: 'BAD_USER_INPUT', outcome: 'NOT_SENT' } }],
    });
    expect(gateway.calls).toEqual([]);
  });

  it.each([
    ['-0', '0'],
    ['12.0', '12'],
    ['1e2', '100'],
    ['2147483647', '2147483647'],
  ])('is sent by its value: %s as %s', async (number, sent) => {
    const gateway = await startTestGateway();

    await gateway.post(toRequest(number));

    expect(gateway.calls.map(({ body }) => body)).toEqual([
      `{"progress":{"total":${sent}},"interviewCount":${sent}}`,
    ]);
  });

  it('too deep for the reviver makes the body unreadable', async () => {
    const gateway = await startTestGateway();
    const deep = '['.repeat(19_000) + ']'.repeat(19_000);

    const response = await gateway.post(
      `{"query":"{ __typename }","variables":{"a":${deep},"b":1e400}}`,
    );

    expect(response.status).toBe(400);
    expect(await gateway.graphql('{ __typename }')).toEqual({ data: { __typename: 'Query' } });
  });
});
