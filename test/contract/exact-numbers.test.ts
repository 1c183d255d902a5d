import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { parseExactJson } from '../../src/json/parse-json.js';
import { startTestGateway } from '../support/gateway.js';
import { wholeStudy } from '../support/studies.js';

const { id } = wholeStudy;

/** Numbers as an API may write them that a double would change. */
const inexact = [
  '12345678901234567890',
  '9007199254740993',
  '0.12345678901234567890123',
  '1e400',
  '1e-400',
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

/** Starts a gateway before an API that answers each call with the body that was set last. */
async function start() {
  let body = '';
  const gateway = await startTestGateway({ api: (response) => void response.end(body) });
  return {
    ...gateway,
    /** Runs an operation, and returns the text of its response. */
    read: async (next: string, query: string): Promise<string> => {
      body = next;
      return (await (await gateway.post({ query })).text()).trim();
    },
    /** Runs an operation, and returns its data and the path of each error. */
    run: async (next: string, query: string) => {
      body = next;
      const { data, errors = [] } = await gateway.graphql(query);
      return { data, errors, paths: errors.map(({ path }) => path?.join('.')) };
    },
  };
}

const create = 'mutation { createStudy(input: {}) { solution } }';

describe('a number in an undocumented object', () => {
  it('arrives as it is written if a double would change it, and otherwise with its value', async () => {
    const { read } = await start();
    const equal = {
      '1.0': '1',
      '1e2': '100',
      '12.50': '12.5',
      '0.30000000000000004': '0.30000000000000004',
      '6.123233995736766e-17': '6.123233995736766e-17',
      '9007199254740992': '9007199254740992',
      '100000000000000000000': '100000000000000000000',
      '5000e-3': '5',
      '12.000000000000000000': '12',
      '-0.5': '-0.5',
    };

    for (const [number, written] of [
      ...inexact.map((number) => [number, number] as const),
      ...Object.entries(equal),
    ])
      expect(await read(toBody({ solution: `{"a": [${number} ],"b":${number}}` }), create)).toBe(
        `{"data":{"createStudy":{"solution":{"a":[${written}],"b":${written}}}}}`,
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
    ['study', `{ study(id: "${id}") { ${selected} } }`],
    // Two root fields of a query have no plan: graphql-js executes the operation.
    ['study', `{ __typename study(id: "${id}") { ${selected} } }`],
  ])('arrives as it is written in all four fields, by %s: %s', async (field, query) => {
    const { read } = await start();

    const typename = query.includes('__typename') ? '"__typename":"Query",' : '';
    expect(await read(toBody(objects), query)).toBe(`{"data":{${typename}"${field}":${study}}}`);
  });

  it('changes nothing else in the answer', async () => {
    const { read } = await start();
    const inside =
      '{"2":-0,"1":[],"":{},"__proto__":{"a":null},"é😀":"\\ud800\\"\\\\","a":[true,false,[[ ]],""],"\\u0062":"-0,1e400 ]"}';

    const written = JSON.stringify(JSON.parse(inside)).replace('"2":0', '"2":-0');
    expect(await read(toBody({ solution: inside.replaceAll(':', ' :\n\t') }), create)).toBe(
      `{"data":{"createStudy":{"solution":${written}}}}`,
    );
  });

  it('makes the answer unreadable beside 50,000 levels, which the reviver cannot pass', async () => {
    const { run } = await start();
    const deep = `{"a":${'['.repeat(50_000)}${']'.repeat(50_000)}}`;

    const { data, errors } = await run(
      toBody({ researchGoal: deep, solution: '{"a":-0}' }),
      create,
    );

    expect(data).toEqual({ createStudy: null });
    expect(errors).toMatchObject([
      { extensions: { code: 'UPSTREAM_CONTRACT', outcome: 'APPLIED', studyId: id } },
    ]);
  });
});

describe('a number in a documented field', () => {
  it('is an error at its field if a double would change it', async () => {
    const { run } = await start();
    const query =
      'mutation { createStudy(input: {}) { id interviewCount progress { total failed } } }';

    for (const number of inexact) {
      const progress = `{"total":${number},"failed":1}`;
      const { data, errors } = await run(toBody({ interviewCount: number, progress }), query);

      expect(data).toEqual({
        createStudy: { id, interviewCount: null, progress: { total: null, failed: 1 } },
      });
      expect(errors.map(({ path, message }) => ({ path, message }))).toEqual(
        ['interviewCount', 'progress.total'].map((field) => ({
          path: ['createStudy', ...field.split('.')],
          message: `The Study API answered "${field}" with a number where a 32-bit integer or null was expected.`,
        })),
      );
    }
  });

  it('is an error at its field if the field has another type, also of objects', async () => {
    const { run, log } = await start();
    const fields = ['description', 'bookmarked', 'audiences', 'strategy', 'projectId', 'solution'];

    for (const field of [...fields, 'progress { total }']) {
      const [name = ''] = field.split(' ');
      const body = toBody({ [name]: '1e400' }).replace('{', '{"more":-0,');
      expect(await run(body, `mutation { createStudy(input: {}) { id ${field} } }`)).toMatchObject({
        data: { createStudy: { id, [name]: null } },
        paths: [`createStudy.${name}`],
      });
    }
    expect(log).toContainEqual(
      expect.objectContaining({ field: 'more', expected: 'nothing', received: 'a number' }),
    );
  });

  it.each([
    ['is an error as a total', '{"items":[],"total":12345678901234567890}', 'studies.total'],
    ['is another page', '{"items":[],"page":12345678901234567890}', 'studies'],
    ['is no study', '{"items":[-0],"page":1}', 'studies.items.0'],
  ])('%s in a list', async (_, body, path) => {
    const { run } = await start();

    expect(await run(body, '{ studies { page total items { id } } }')).toMatchObject({
      paths: [path],
    });
  });
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

  it('is refused if a double has another value', async () => {
    const gateway = await startTestGateway();

    for (const number of [
      '12345678901234567890',
      '12.00000000000000000001',
      '1e-400',
      '1e400',
      '-0',
    ]) {
      const response = await gateway.post(toRequest(number));

      expect(response.status).toBe(400);
      expect(await response.json()).toMatchObject({
        errors: [{ extensions: { code: 'BAD_USER_INPUT', outcome: 'NOT_SENT' } }],
      });
    }
    expect(gateway.calls).toEqual([]);
  });

  it('is sent by its value', async () => {
    const gateway = await startTestGateway();
    const sent = { '12.0': 12, '1e2': 100, '2147483647': 2147483647 };

    for (const number of Object.keys(sent)) await gateway.post(toRequest(number));

    expect(gateway.calls.map(({ body }) => body).toSorted()).toEqual(
      Object.values(sent)
        .map((value) => `{"progress":{"total":${value}},"interviewCount":${value}}`)
        .toSorted(),
    );
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
