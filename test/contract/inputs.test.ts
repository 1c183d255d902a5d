import { describe, expect, it } from 'vitest';
import { everyNth } from '../support/daily.js';
import {
  createStudy,
  editStudy,
  nest,
  nestLiteral,
  toFields,
  toLabel,
  toLiteral,
  type FieldType,
} from '../support/inputs.js';
import { startTestGateway, type TestGateway } from '../support/gateway.js';

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

const int32 = [0, 1, -1, 2_147_483_647, -2_147_483_648];

/** Test values for a field, by its type. Tests try `null` for all types as well. */
const values: Record<FieldType, readonly unknown[]> = {
  String: texts,
  UUID: ['123e4567-e89b-12d3-a456-426614174000', '123E4567-E89B-12D3-A456-42661417400F'],
  DateTime: ['2026-03-01T09:30:00.123456+01:00', '2026-03-01T08:30:00Z'],
  Boolean: [true, false],
  Int: int32,
  '[String!]': [[], [''], ['a'], ['b', 'a', 'b'], texts],
  ProgressInput: [
    {},
    { total: null },
    { completed: 0 },
    { total: 12, completed: null, failed: -2_147_483_648 },
  ],
};

const rows = [createStudy, editStudy].flatMap((operation) =>
  toFields(operation).flatMap(({ path, type }) =>
    [null, ...values[type]].map((value) => ({
      operation,
      path,
      type,
      value,
      title: `${operation.name} sends ${path.join('.')} = ${toLabel(value)}`,
    })),
  ),
);

const emptyRows = [createStudy, editStudy].flatMap((operation) =>
  toFields(operation).map(({ path, type }) => ({
    operation,
    path,
    type,
    title: `${operation.name} leaves ${path.join('.')} out`,
  })),
);

/** Returns method, URL and body of the received calls, which depend only on the input. */
function sent({ calls }: TestGateway): object[] {
  return calls.map(({ method, url, body }) => ({ method, url, body }));
}

describe('a field that is given, in all notations', () => {
  it.each(everyNth(3, rows))('$title', async ({ operation, path, type, value }) => {
    const gateway = await startTestGateway();
    const { graphql } = gateway;
    const { inputType, method, url, toDocument } = operation;
    const input = nest(path, value);
    const literal = toLiteral(value);
    const other = value === null ? toLiteral(values[type][0]) : 'null';
    const withField = (definition: string): string =>
      toDocument(nestLiteral(path, '$value'), `($value: ${definition})`);

    const results = [
      // The whole input as a variable: as its value, and as its default.
      await graphql(toDocument('$input', `($input: ${inputType}!)`), { input }),
      await graphql(toDocument('$input', `($input: ${inputType}! = ${toLiteral(input)})`)),
      // The whole input as a literal.
      await graphql(toDocument(toLiteral(input))),
      // The field's value through a variable: as the variable's value, as a value that overrides the default, and as the default.
      await graphql(withField(type), { value }),
      await graphql(withField(`${type} = ${other}`), { value }),
      await graphql(withField(`${type} = ${literal}`)),
    ];

    expect(results).toEqual(
      results.map(() => ({ data: { [operation.name]: expect.any(Object) } })),
    );
    expect(sent(gateway)).toEqual(
      results.map(() => ({ method, url, body: JSON.stringify(input) })),
    );
  });
});

describe('a field that is not given, in all notations', () => {
  it.each(everyNth(3, emptyRows))('$title', async ({ operation, path, type }) => {
    const gateway = await startTestGateway();
    const { graphql } = gateway;
    const { inputType, method, url, toDocument } = operation;
    const parents = path.slice(0, -1);
    const nothing = nest(parents, {});
    const variable = `($value: ${type})`;

    const results = [
      await graphql(toDocument('$input', `($input: ${inputType}!)`), { input: nothing }),
      await graphql(toDocument('$input', `($input: ${inputType}! = ${toLiteral(nothing)})`)),
      await graphql(toDocument(toLiteral(nothing))),
      await graphql(toDocument(nestLiteral(path, '$value'), variable)),
      await graphql(toDocument(nestLiteral(path, '$value'), variable), {}),
    ];

    expect(results).toEqual(
      results.map(() => ({ data: { [operation.name]: expect.any(Object) } })),
    );
    expect(sent(gateway)).toEqual(
      results.map(() => ({ method, url, body: JSON.stringify(nothing) })),
    );
  });
});

describe('fields together', () => {
  const common =
    '{"description":"","projectId":"123e4567-e89b-12d3-a456-426614174000",' +
    '"createdAt":"2026-03-01T09:30:00.120-00:00","bookmarked":false,"language":null,' +
    '"audiences":[],"files":["a","","a"],"progress":{"total":0,"completed":null,"failed":-1},' +
    '"status":"done","knowledgeGraphs":null,"strategy":"a seventh","interviewCount":0,"interviews":["é"]';
  const createOnly =
    ',"problems":["p"],"solutionId":"3F2B8C1E-7A41-4B5E-8A57-6D0D6A6F1C22","researchGoalId":null';

  it.each([
    { operation: createStudy, body: `${common}${createOnly}}` },
    { operation: editStudy, body: `${common}}` },
  ])('$operation.name sends all of its fields', async ({ operation, body }) => {
    const gateway = await startTestGateway();
    const { inputType, method, url, toDocument } = operation;
    const input: unknown = JSON.parse(body);

    await gateway.graphql(toDocument('$input', `($input: ${inputType}!)`), { input });
    await gateway.graphql(toDocument(toLiteral(input)));

    expect(sent(gateway)).toEqual([
      { method, url, body },
      { method, url, body },
    ]);
  });

  it.each([createStudy, editStudy])(
    '$name sends the given variables of a literal, including null, and leaves out omitted variables',
    async ({ method, url, toDocument }) => {
      const gateway = await startTestGateway();
      const document = toDocument(
        '{ description: $a, language: $b, audiences: [$c, "x", $d], progress: { total: $e, failed: $f }, status: $g }',
        '($a: String, $b: String, $c: String!, $d: String! = "d", $e: Int, $f: Int, $g: String = "g")',
      );

      await gateway.graphql(document, { b: null, c: 'c', f: 7 });

      const body =
        '{"language":null,"audiences":["c","x","d"],"progress":{"failed":7},"status":"g"}';
      expect(sent(gateway)).toEqual([{ method, url, body }]);
    },
  );

  it('a text of 240,000 bytes in a variable is sent completely', async () => {
    const gateway = await startTestGateway();
    const input = { description: 'é'.repeat(120_000) };

    await gateway.graphql(createStudy.toDocument('$input', '($input: CreateStudyInput!)'), {
      input,
    });

    expect(gateway.calls.map(({ body }) => body)).toEqual([JSON.stringify(input)]);
  });

  it('a single string in place of a list becomes a list of one item, as GraphQL specifies', async () => {
    const gateway = await startTestGateway();

    await gateway.graphql(createStudy.toDocument('$input', '($input: CreateStudyInput!)'), {
      input: { audiences: 'one' },
    });
    await gateway.graphql(createStudy.toDocument('{ audiences: "one" }'));

    expect(gateway.calls.map(({ body }) => body)).toEqual([
      '{"audiences":["one"]}',
      '{"audiences":["one"]}',
    ]);
  });

  it('a block string is sent as its value', async () => {
    const gateway = await startTestGateway();

    await gateway.graphql(
      createStudy.toDocument('{ description: """\n    a "b"\n      \\u0041\n    """ }'),
    );

    expect(gateway.calls.map(({ body }) => body)).toEqual([
      String.raw`{"description":"a \"b\"\n  \\u0041"}`,
    ]);
  });
});
