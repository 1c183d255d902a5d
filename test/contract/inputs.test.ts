import { describe, expect, it } from 'vitest';
import { everyNth } from '../support/daily.js';
import {
  createOnlyFields,
  createStudy,
  editStudy,
  nest,
  nestLiteral,
  studyId,
  toFields,
  toLiteral,
  type FieldType,
} from '../support/inputs.js';
import { refused, toVerdict } from '../support/refusals.js';
import { startTestGateway, type TestGateway } from '../support/gateway.js';
import { wholeStudy } from '../support/studies.js';
import { answerJson } from '../support/study-api.js';

const texts = [
  '',
  'Why?',
  'null',
  ' Größe, é, e\u0301, 研究, 👩‍🔬, \u{10ffff}, \ufeff ',
  '"quotes" \'and\' \\ back/slash, \\u0041 and \\ud800',
  '\u0000\u0001\b\t\n\v\f\r\u001f\u007f\u0085\u2028\u2029',
  // A long text that still fits as a literal into a document of the default maximum, 20,000 characters.
  'long '.repeat(2_000),
];

/** Values for a field, by its type. */
const values: Record<FieldType, readonly unknown[]> = {
  String: [null, ...texts],
  UUID: [null, '123e4567-e89b-12d3-a456-426614174000', '123E4567-E89B-12D3-A456-42661417400F'],
  DateTime: [null, '2026-03-01T09:30:00.123456+01:00', '2026-03-01T08:30:00Z'],
  Boolean: [null, true, false],
  Int: [null, 0, 1, -1, 2_147_483_647, -2_147_483_648],
  '[String!]': [null, [], [''], ['a'], ['b', 'a', 'b'], texts],
  ProgressInput: [
    null,
    {},
    { total: null },
    { completed: 0 },
    { total: 12, completed: null, failed: -2_147_483_648 },
  ],
};

/** Values that are invalid for a field of the type, as a variable or inline. */
const wrongValues: Record<FieldType, readonly unknown[]> = {
  String: [0, 1.5, true, [], ['a'], {}],
  // More invalid UUIDs and DateTimes: scalars.test.ts.
  UUID: ['', 'id', 7, true, ['123e4567-e89b-12d3-a456-426614174000'], {}],
  DateTime: ['', 'today', 1_767_225_600, true, ['2026-03-01T08:30:00Z'], {}],
  Boolean: ['true', '', 0, 1, [], {}],
  Int: ['1', '', 1.5, 2_147_483_648, -2_147_483_649, 1e20, true, [], {}],
  '[String!]': [0, true, {}, [1], ['a', null], [['a']], [{}]],
  ProgressInput: ['', 1, true, [], { total: '1' }, { total: 0.5 }, { started: 1 }],
};

const fields = [createStudy, editStudy].flatMap((operation) =>
  toFields(operation).map(({ path, type }) => ({
    operation,
    path,
    type,
    title: `${path.join('.')} of ${operation.name}`,
  })),
);

/** Returns values to try for each field. */
function toRows(byType: Record<FieldType, readonly unknown[]>) {
  const rows = fields.flatMap(({ title, type }) => byType[type].map((value) => ({ title, value })));
  return Map.groupBy(everyNth(3, rows), ({ title }) => title);
}
const given = toRows(values);
const wrong = toRows(wrongValues);

/** Returns method, URL and body of the received calls, which depend only on the input. */
function sent({ calls }: TestGateway): object[] {
  return calls.map(({ method, url, body }) => ({ method, url, body }));
}

describe.each(fields)('$title', ({ operation, path, type, title }) => {
  const { inputType, method, url, toDocument } = operation;
  const byInput = toDocument('$input', `($input: ${inputType}!)`);
  const withField = (definition: string): string =>
    toDocument(nestLiteral(path, '$value'), `($value: ${definition})`);

  it('is sent as it is given, and left out if it is not, in all notations', async () => {
    const gateway = await startTestGateway();
    const { graphql } = gateway;
    const expected = [];

    for (const { value } of given.get(title) ?? []) {
      const input = nest(path, value);
      const literal = toLiteral(value);
      const other = value === null ? toLiteral(values[type][1]) : 'null';
      const results = [
        // The whole input as a variable: as its value, and as its default.
        await graphql(byInput, { input }),
        await graphql(toDocument('$input', `($input: ${inputType}! = ${toLiteral(input)})`)),
        // The whole input as a literal.
        await graphql(toDocument(toLiteral(input))),
        // The field's value through a variable: as the variable's value, as a value that overrides the default, and as the default.
        await graphql(withField(type), { value }),
        await graphql(withField(`${type} = ${other}`), { value }),
        await graphql(withField(`${type} = ${literal}`)),
      ];
      const body = JSON.stringify(input);
      expect(results).toEqual(
        results.map(() => ({ data: { [operation.name]: expect.any(Object) } })),
      );
      expected.push(...results.map(() => ({ method, url, body })));
    }
    const nothing = nest(path.slice(0, -1), {});
    await graphql(byInput, { input: nothing });
    await graphql(toDocument(toLiteral(nothing)));
    await graphql(withField(type));
    const empty = { method, url, body: JSON.stringify(nothing) };
    expected.push(empty, empty, empty);

    expect(sent(gateway)).toEqual(expected);
  });

  it('is refused if its type is wrong, in all notations', async () => {
    const { graphql, calls } = await startTestGateway();

    for (const { value } of wrong.get(title) ?? []) {
      const input = nest(path, value);
      const verdicts = [
        await graphql(byInput, { input }),
        await graphql(withField(type), { value }),
        await graphql(toDocument(toLiteral(input))),
        await graphql(toDocument('$input', `($input: ${inputType}! = ${toLiteral(input)})`)),
      ].map(toVerdict);

      expect(verdicts).toEqual([
        refused('BAD_USER_INPUT'),
        refused('BAD_USER_INPUT', false),
        refused('GRAPHQL_VALIDATION_FAILED'),
        refused('GRAPHQL_VALIDATION_FAILED'),
      ]);
    }
    expect(calls).toEqual([]);
  });
});

describe.each([createStudy, editStudy])('the input of $name', ({ name, inputType, ...others }) => {
  const { method, url, toDocument } = others;
  const byInput = toDocument('$input', `($input: ${inputType}!)`);
  const onlyCreate = name === 'createStudy' ? createOnlyFields : {};

  it('is sent with all of its fields, in the order of the document', async () => {
    const gateway = await startTestGateway();
    const common =
      '{"description":"","projectId":"123e4567-e89b-12d3-a456-426614174000",' +
      '"createdAt":"2026-03-01T09:30:00.120-00:00","bookmarked":false,"language":null,' +
      '"audiences":[],"files":["a","","a"],"progress":{"total":0,"completed":null,"failed":-1},' +
      '"status":"done","knowledgeGraphs":null,"strategy":"a seventh","interviewCount":0,"interviews":["é"]';
    const more =
      ',"problems":["p"],"solutionId":"3F2B8C1E-7A41-4B5E-8A57-6D0D6A6F1C22","researchGoalId":null';
    const body = `${common}${'problems' in onlyCreate ? more : ''}}`;

    await gateway.graphql(byInput, { input: JSON.parse(body) as unknown });
    await gateway.graphql(toDocument(toLiteral(JSON.parse(body))));

    expect(sent(gateway)).toEqual([
      { method, url, body },
      { method, url, body },
    ]);
  });

  it('has the given variables of a literal, including null, and no omitted ones', async () => {
    const gateway = await startTestGateway();
    const document = toDocument(
      '{ description: $a, language: $b, audiences: [$c, "x", $d], progress: { total: $e, failed: $f }, status: $g }',
      '($a: String, $b: String, $c: String!, $d: String! = "d", $e: Int, $f: Int, $g: String = "g")',
    );

    await gateway.graphql(document, { b: null, c: 'c', f: 7 });

    const body = '{"language":null,"audiences":["c","x","d"],"progress":{"failed":7},"status":"g"}';
    expect(sent(gateway)).toEqual([{ method, url, body }]);
  });

  it('is refused with a field that it does not have, and in place of an object', async () => {
    const { graphql, calls } = await startTestGateway();
    const unknown = ['id', 'planId', 'summaries', 'Description', '__proto__', 'constructor'];
    const missing = Object.keys(createOnlyFields).filter((field) => !(field in onlyCreate));

    for (const field of [...unknown, ...missing]) {
      // JSON.parse, because an object literal would treat `__proto__` as the prototype, not as a field.
      const input: unknown = JSON.parse(`{"description":"d","${field}":null}`);
      expect(toVerdict(await graphql(byInput, { input }))).toEqual(refused('BAD_USER_INPUT'));
      const literal = toDocument(`{ description: "d", ${field}: null }`);
      expect(toVerdict(await graphql(literal))).toEqual(refused('GRAPHQL_VALIDATION_FAILED'));
    }
    for (const input of [null, '', [{}, {}]]) {
      expect(toVerdict(await graphql(byInput, { input }))).toEqual(refused('BAD_USER_INPUT'));
      const literal = toDocument(toLiteral(input));
      expect(toVerdict(await graphql(literal))).toEqual(refused('GRAPHQL_VALIDATION_FAILED'));
    }
    expect(calls).toEqual([]);
  });
});

it.each([
  [
    'a text of 240,000 bytes is sent completely',
    { description: 'é'.repeat(120_000) },
    JSON.stringify({ description: 'é'.repeat(120_000) }),
  ],
  [
    'a single string becomes a list of one item, as GraphQL specifies',
    { audiences: 'one' },
    '{"audiences":["one"]}',
  ],
])('%s', async (_, input, body) => {
  const gateway = await startTestGateway();

  await gateway.graphql(createStudy.toDocument('$input', '($input: CreateStudyInput!)'), { input });

  expect(gateway.calls.map((call) => call.body)).toEqual([body]);
});

it('half of a surrogate pair is read as an escape, and sent back unchanged', async () => {
  for (const description of ['\ud83d', '\ude00\ud83d', '\ud83d😀']) {
    const api = answerJson({ ...wholeStudy, description });
    const { graphql, post, calls } = await startTestGateway({ api });

    const response = await post({ query: `{ study(id: "${studyId}") { description } }` });
    const text = await response.text();
    const read = JSON.parse(text) as { readonly data: { readonly study: object } };
    const document = editStudy.toDocument('$input', '($input: EditStudyInput!)');
    await graphql(document, { input: read.data.study });

    const escaped = JSON.stringify({ description });
    expect(text).toBe(`{"data":{"study":${escaped}}}`);
    expect(calls.map(({ body }) => body)).toEqual(['', escaped]);
  }
});
