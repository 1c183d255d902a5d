import { getIntrospectionQuery } from 'graphql';
import { describe, expect, it } from 'vitest';
import { create, creates, post, repeat, type Result } from '../support/bombs.js';
import { studyId } from '../support/inputs.js';
import { startTestGateway, type TestGatewayOptions } from '../support/gateway.js';

function refused(message: string, code = 'GRAPHQL_VALIDATION_FAILED'): Result {
  const extensions = { code, outcome: 'NOT_SENT', retryable: false, requestId: expect.any(String) };
  return { status: 400, body: { errors: [expect.objectContaining({ message, extensions })] } };
}

const tooManyFields = 'The operation has more than 5 mutation fields.';

describe('the root fields of a mutation', () => {
  it.each<[string, (count: number) => string]>([
    ['under aliases', (count) => `mutation { ${creates(count)} }`],
    ['in a fragment', (n) => `mutation { ...F } fragment F on Mutation { ${creates(n)} }`],
    [
      'partly in a fragment',
      (n) => `mutation { ${creates(2)} ...F } fragment F on Mutation { ${creates(n - 2, 2)} }`,
    ],
    [
      'in fragments of fragments',
      (n) =>
        `mutation { ...F } fragment F on Mutation { ...G ${create(0)} }
        fragment G on Mutation { ...H ${create(1)} } fragment H on Mutation { ${creates(n - 2, 2)} }`,
    ],
    [
      'in inline fragments',
      (n) => `mutation { ... { ... on Mutation { ${creates(n - 1)} } } ... { ${create(n)} } }`,
    ],
    [
      'in a fragment that is spread twice, where each counts once',
      (n) => `mutation { ...F ... { ...F } } fragment F on Mutation { ${creates(n)} }`,
    ],
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
    [
      'of each of several operations',
      (n) => `mutation Run { ${creates(n)} } mutation Other { ${creates(n)} }`,
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

/** A limit of documents, and a function that builds a document with `count` of the limited things. */
interface Limit {
  readonly what: string;
  readonly option: keyof TestGatewayOptions & `max${string}`;
  readonly limit: number;
  readonly toDocument: (count: number) => string;
  readonly refusal?: Result;
}

const limits: readonly Limit[] = [
  {
    what: 'characters',
    option: 'maxDocumentLength',
    limit: 20_000,
    toDocument: (count) => '{ __typename } #'.padEnd(count, 'é'),
  },
  {
    what: 'tokens',
    option: 'maxDocumentTokens',
    limit: 1_000,
    toDocument: (count) =>
      `mutation { createStudy(input: { files: [${repeat(count - 17, () => '""')}] }) { id } }`,
    refusal: refused(
      'Syntax Error: Document contains more that 1000 tokens. Parsing aborted.',
      'GRAPHQL_PARSE_FAILED',
    ),
  },
  {
    what: 'levels',
    option: 'maxDepth',
    limit: 15,
    toDocument: (count) =>
      `{ __schema { types { fields { type { ${'ofType { '.repeat(count - 5)} name ${'}'.repeat(count)}`,
  },
  {
    what: 'aliases',
    option: 'maxAliases',
    limit: 15,
    toDocument: (count) => `{ ${repeat(count, (index) => `a${index}: __typename`)} }`,
  },
  {
    what: 'directives',
    option: 'maxDirectives',
    limit: 10,
    toDocument: (count) => `{ ${repeat(count, () => '__typename @include(if: true)')} }`,
  },
  {
    what: 'mutation fields',
    option: 'maxMutationFields',
    limit: 5,
    toDocument: (count) => `mutation { ${creates(count)} }`,
  },
];

describe.each(limits)('$what of a document', ({ what, option, limit, toDocument, refusal }) => {
  const over = refusal ?? refused(`The operation has more than ${limit} ${what}.`);

  it(`may be ${limit}, and one more is refused before any call`, async () => {
    const gateway = await startTestGateway();

    const within = await post(gateway, { query: toDocument(limit) });
    const calls = gateway.calls.length;

    expect(within).toMatchObject({ status: 200, body: { data: expect.any(Object) } });
    expect(within.body.errors).toBeUndefined();
    expect(await post(gateway, { query: toDocument(limit + 1) })).toEqual(over);
    expect(gateway.calls).toHaveLength(calls);
  });

  it('may be as many as configured', async () => {
    const raised = await startTestGateway({ [option]: limit + 1 });
    const lowered = await startTestGateway({ [option]: limit - 1 });

    expect(await post(raised, { query: toDocument(limit + 1) })).toMatchObject({ status: 200 });
    expect(await post(lowered, { query: toDocument(limit) })).toMatchObject({ status: 400 });
    expect(lowered.calls).toEqual([]);
  });
});

describe('what counts', () => {
  it.each([
    [
      'aliases of a fragment, at each spread',
      `{ ...F ... { ...F } } fragment F on Query { ${repeat(8, (i) => `a${i}: __typename`)} }`,
      'The operation has more than 15 aliases.',
    ],
    [
      'aliases below the root',
      `{ study(id: "${studyId}") { ${repeat(16, (i) => `a${i}: id`)} } }`,
      'The operation has more than 15 aliases.',
    ],
    [
      'aliases of an operation that is not asked for',
      `query Run { __typename } query Other { ${repeat(16, (i) => `a${i}: __typename`)} }`,
      'The operation has more than 15 aliases.',
    ],
    [
      'levels through fragments',
      `{ __schema { types { fields { type { ...F } } } } } fragment F on __Type { ${'ofType { '.repeat(11)} name ${'}'.repeat(12)}`,
      'The operation has more than 15 levels.',
    ],
    [
      'directives on anything',
      `query Q($a: Int @a, $b: Int @a) @a { ...F @a ... @a { __typename @a @a } } fragment F on Query @a @a @a @a { __typename }`,
      'The operation has more than 10 directives.',
    ],
    [
      'the length of an alias',
      `{ ${'a'.repeat(129)}: __typename }`,
      'The operation has a name of more than 128 characters.',
    ],
    [
      'the length of a field',
      `{ ${'a'.repeat(129)} }`,
      'The operation has a name of more than 128 characters.',
    ],
    [
      'the length of a variable',
      `query ($${'a'.repeat(129)}: Int) { __typename }`,
      'The operation has a name of more than 128 characters.',
    ],
    [
      'the number of fragments',
      `{ __typename } ${repeat(51, (i) => `fragment F${i} on Query { __typename }`)}`,
      'The operation has more than 50 fragments.',
    ],
  ])('includes %s', async (_, query, message) => {
    const gateway = await startTestGateway();

    expect(
      await post(gateway, { query, operationName: query.includes('Run') ? 'Run' : null }),
    ).toEqual(refused(message));
    expect(gateway.calls).toEqual([]);
  });

  it('excludes the content of comments and strings', async () => {
    const gateway = await startTestGateway();
    const brackets = '{([@'.repeat(100);

    const result = await post(gateway, {
      query: `mutation { createStudy(input: { description: "${brackets}" }) { id } } # ${brackets}`,
    });

    expect(result).toMatchObject({ status: 200 });
    expect(gateway.calls.map(({ body }) => body)).toEqual([`{"description":"${brackets}"}`]);
  });

  it('allows a name of 128 characters', async () => {
    const gateway = await startTestGateway();

    const { body } = await post(gateway, { query: `{ ${'a'.repeat(128)}: __typename }` });

    expect(body).toEqual({ data: { ['a'.repeat(128)]: 'Query' } });
  });

  it.each([
    ['', ''],
    [' with a comment that only one of two decoders can read', '%23%zz%0A'],
    [' twice encoded in part', '%23%25zz%0a'],
  ])('includes the document of a GET%s', async (_, prefix) => {
    const { url } = await startTestGateway();
    const document = encodeURIComponent(`{ ${repeat(16, (index) => `a${index}: __typename`)} }`);

    const response = await fetch(`${url}/graphql?query=${prefix}${document}`, {
      headers: { 'content-type': 'application/json' },
    });

    expect({ status: response.status, body: await response.json() }).toEqual(
      refused('The operation has more than 15 aliases.'),
    );
  });

  it('includes a document that is registered by its hash', async () => {
    const gateway = await startTestGateway();
    const query = `mutation { ${creates(6)} }`;
    const digest = await crypto.subtle.digest('SHA-256', Buffer.from(query));
    const sha256Hash = Buffer.from(digest).toString('hex');
    const extensions = { persistedQuery: { version: 1, sha256Hash } };

    expect(await post(gateway, { query, extensions })).toEqual(refused(tooManyFields));
    await post(gateway, { extensions });
    expect(gateway.calls).toEqual([]);
  });

  it('leaves room for the introspection query with all options', async () => {
    const gateway = await startTestGateway();

    const result = await post(gateway, {
      query: getIntrospectionQuery({
        descriptions: true,
        specifiedByUrl: true,
        directiveIsRepeatable: true,
        schemaDescription: true,
        inputValueDeprecation: true,
        oneOf: true,
      }),
    });

    expect(result).toEqual({ status: 200, body: { data: { __schema: expect.any(Object) } } });
  });
});

it.each([
  ['fields', (count: number) => `{ ${repeat(count, () => '__typename')} }`],
  ['aliases', (count: number) => `{ ${repeat(count, () => 'a: __typename')} }`],
  [
    'fields in different places',
    (count: number) =>
      `mutation { createStudy(input: {}) { ${repeat(count - 20, () => 'total: id')} progress { total } ...F } } fragment F on Study { ${repeat(19, () => 'total: id')} }`,
  ],
])('allows 40 fields of the same response name and not 41: %s', async (_, toDocument) => {
  const gateway = await startTestGateway({ maxAliases: 100 });

  expect(await post(gateway, { query: toDocument(40) })).toMatchObject({ status: 200 });
  const calls = gateway.calls.length;
  expect(await post(gateway, { query: toDocument(41) })).toEqual(
    refused('The operation has more than 40 fields of one name.'),
  );
  expect(gateway.calls).toHaveLength(calls);
});
