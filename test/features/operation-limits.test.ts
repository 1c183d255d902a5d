import { hash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { create, creates, post, repeat, type Result } from '../support/bombs.js';
import { studyId } from '../support/inputs.js';
import { startTestGateway } from '../support/gateway.js';
import { token } from '../support/post.js';

function refused(message: unknown, code = 'GRAPHQL_VALIDATION_FAILED'): Result {
  const extensions = { code, outcome: 'NOT_SENT', retryable: false, requestId: expect.any(String) };
  return { status: 400, body: { errors: [expect.objectContaining({ message, extensions })] } };
}

const tooManyFields =
  'The mutation has 6 root fields, and at most 5 are allowed. Send the others in further requests.';

describe('the root fields of a mutation', () => {
  it.each<[string, (count: number) => string]>([
    ['under aliases', (count) => `mutation { ${creates(count)} }`],
    ['in a fragment', (n) => `mutation { ...F } fragment F on Mutation { ${creates(n)} }`],
    [
      'beside __typename, which is none',
      (n) =>
        `mutation { __typename ${creates(n)} t: __typename ...F } fragment F on Mutation { u: __typename }`,
    ],
    [
      'of which one name stands for several selections',
      (n) => `mutation { ${creates(n)} ${create(0)} c0: createStudy(input: {}) { status } }`,
    ],
    [
      'of one of several operations',
      (n) => `query Other { __typename } mutation Run { ${creates(n)} } query More { __typename }`,
    ],
  ])('may be 5 and not 6: %s', async (_, toDocument) => {
    const gateway = await startTestGateway();
    const operationName = toDocument(5).includes('Run') ? 'Run' : undefined;

    const within = await post(gateway, { query: toDocument(5), operationName });
    const calls = gateway.calls.length;
    const over = await post(gateway, { query: toDocument(6), operationName });

    expect(within).toMatchObject({ status: 200, body: { data: expect.any(Object) } });
    expect(within.body.errors).toBeUndefined();
    expect(over).toEqual(refused(tooManyFields));
    expect([calls, gateway.calls.length]).toEqual([5, 5]);
  });

  it.each([
    [
      'when one is skipped',
      `mutation { ${creates(5)} ...F @skip(if: true) } fragment F on Mutation { ${create(5)} }`,
    ],
    [
      'when they stand in an operation that is not asked for',
      `query Run { __typename } mutation Other { ${creates(6)} }`,
    ],
  ])('may not be 6, even %s', async (_, query) => {
    const gateway = await startTestGateway();

    expect(
      await post(gateway, { query, operationName: query.includes('Run') ? 'Run' : null }),
    ).toEqual(refused(tooManyFields));
    expect(gateway.calls).toEqual([]);
  });
});

describe('the root fields of a query', () => {
  const reads = (count: number): string =>
    repeat(count, (index) => `r${index}: study(id: "${studyId}") { id }`);

  it.each<[string, (count: number) => string]>([
    ['under aliases', (count) => `{ ${reads(count)} }`],
    ['in fragments', (n) => `{ ...F ... { ...F } } fragment F on Query { ${reads(n)} }`],
    ['of the schema', (n) => `{ ${repeat(n, (i) => `s${i}: __type(name: "Study") { name }`)} }`],
  ])('may be 10 and not 11: %s', async (_, toDocument) => {
    const gateway = await startTestGateway();

    const within = await post(gateway, { query: toDocument(10) });
    const calls = gateway.calls.length;

    expect(within).toMatchObject({ status: 200 });
    expect(within.body.errors).toBeUndefined();
    expect(await post(gateway, { query: toDocument(11) })).toEqual(
      refused(
        'The query has 11 root fields, and at most 10 are allowed. Send the others in further requests.',
      ),
    );
    expect(gateway.calls).toHaveLength(calls);
  });
});

/** A limit of documents, and a function that builds a document with `count` of the limited things. */
const limits: readonly [
  what: string,
  limit: number,
  toDocument: (count: number) => string,
  refusal: Result,
][] = [
  [
    'characters',
    20_000,
    (count) => '{ __typename } #'.padEnd(count, 'é'),
    refused('The document has more than 20,000 characters or 1,000 lines. Use variables.'),
  ],
  [
    'lines',
    1_000,
    (count) => `${'\r'.repeat(count - 1)}{ __typename }`,
    refused('The document has more than 20,000 characters or 1,000 lines. Use variables.'),
  ],
  [
    'tokens',
    1_000,
    (count) =>
      `mutation { createStudy(input: { files: [${repeat(count - 17, () => '""')}] }) { id } }`,
    refused(
      'Syntax Error: Document contains more that 1000 tokens. Parsing aborted.',
      'GRAPHQL_PARSE_FAILED',
    ),
  ],
  [
    'characters of a response name',
    64,
    (count) => `{ ${'a'.repeat(count)}: __typename }`,
    refused(
      `The response name "${'a'.repeat(64)}…" has more than 64 characters. Use a shorter alias.`,
    ),
  ],
];

it.each(limits)(
  '%s of a document may be %i, and one more is refused before any call',
  async (_, limit, toDocument, refusal) => {
    const gateway = await startTestGateway();

    const within = await post(gateway, { query: toDocument(limit) });
    const calls = gateway.calls.length;

    expect(within).toMatchObject({ status: 200, body: { data: expect.any(Object) } });
    expect(within.body.errors).toBeUndefined();
    expect(await post(gateway, { query: toDocument(limit + 1) })).toEqual(refusal);
    expect(gateway.calls).toHaveLength(calls);
  },
);

const twoNames = (field: string, one: string, other: string): Result =>
  refused(
    `An operation can select ${field} under one name only, and this one has "${one}" and "${other}". ` +
      'Select the field once, and copy or rename its value in your program.',
  );

describe('a field below the root', () => {
  const study = (fields: string): string => `study(id: "${studyId}") { ${fields} }`;

  it.each([
    ['beside itself', `{ ${study('id a: id')} }`, twoNames('Study.id', 'id', 'a')],
    [
      'in two root fields',
      `{ a: ${study('one: status')} b: ${study('two: status')} }`,
      twoNames('Study.status', 'one', 'two'),
    ],
    [
      'where a directive leaves out one',
      `query ($c: Boolean! = false) { ${study('id a: id @include(if: $c)')} }`,
      twoNames('Study.id', 'id', 'a'),
    ],
    [
      'of the schema',
      '{ __schema { types { name a: name } } }',
      twoNames('__Type.name', 'name', 'a'),
    ],
    [
      'in an operation that is not asked for',
      `query Run { __typename } query Other { ${study('id a: id')} }`,
      twoNames('Study.id', 'id', 'a'),
    ],
  ])('has one name in an operation: %s', async (_, query, refusal) => {
    const gateway = await startTestGateway();
    const operationName = query.includes('Run') ? 'Run' : undefined;

    expect(await post(gateway, { query, operationName })).toEqual(refusal);
    expect(gateway.calls).toEqual([]);
  });

  it.each([
    ['an alias of its own', `{ ${study('title: description')} }`],
    ['a name several times', `{ ${study('a: id a: id ...F')} } fragment F on Study { a: id }`],
    ['one name in each of two types', `{ ${study('kind: __typename progress { __typename }')} }`],
    [
      'another name in a fragment that another operation spreads',
      `query Run { ${study('id')} } query Other { ${study('...F')} } fragment F on Study { a: id }`,
    ],
  ])('may have %s', async (_, query) => {
    const gateway = await startTestGateway();
    const operationName = query.includes('Run') ? 'Run' : undefined;

    const { status, body } = await post(gateway, { query, operationName });

    expect({ status, errors: body.errors }).toEqual({ status: 200, errors: undefined });
  });
});

it.each([
  ['', ''],
  [' with a comment that only one of two decoders can read', '%23%zz%0A'],
])('a document is judged in a GET%s', async (_, prefix) => {
  const { url } = await startTestGateway();
  const document = encodeURIComponent('{ __schema { types { name a: name } } }');

  const response = await fetch(`${url}/graphql?query=${prefix}${document}`, {
    headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
  });

  expect({ status: response.status, body: await response.json() }).toEqual(
    twoNames('__Type.name', 'name', 'a'),
  );
});

it('a document is judged when it is registered by its hash', async () => {
  const gateway = await startTestGateway();
  const query = `mutation { ${creates(6)} }`;
  const sha256Hash = hash('sha256', query);
  const extensions = { persistedQuery: { version: 1, sha256Hash } };

  expect(await post(gateway, { query, extensions })).toEqual(refused(tooManyFields));
  await post(gateway, { extensions });
  expect(gateway.calls).toEqual([]);
});
