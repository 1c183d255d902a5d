import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { run, save, serve, writeTemporary } from './contract.fixture.js';

type Json = Readonly<Record<string, unknown>>;

const text = { type: 'string' };
const uuid = { type: 'string', format: 'uuid' };
const texts = { type: 'array', items: text };
const objects = { type: 'array', items: { type: 'object' } };
const counts = {
  type: 'object',
  properties: {
    total: { type: 'integer' },
    completed: { type: 'integer' },
    failed: { type: 'integer' },
  },
};

/** Properties of the body of an edit, of a create and of a study, as an API in camel case has them. */
const edit = {
  description: text,
  projectId: uuid,
  createdAt: { type: 'string', format: 'date-time' },
  bookmarked: { type: 'boolean' },
  language: text,
  audiences: texts,
  files: texts,
  progress: counts,
  status: text,
  knowledgeGraphs: texts,
  strategy: text,
  interviewCount: { type: 'integer', format: 'int32' },
  interviews: texts,
};
const create = { ...edit, problems: texts, solutionId: uuid, researchGoalId: uuid };
const study = {
  id: uuid,
  ...create,
  audiencesObj: objects,
  problemsObj: objects,
  planId: text,
  solution: { type: 'object' },
  researchGoal: { type: 'object' },
  summaries: texts,
};

function toObject(properties: Json, required: readonly string[] = []): Json {
  return { type: 'object', properties, ...(required.length > 0 && { required }) };
}

function toReference(name: string): Json {
  return { $ref: `#/components/schemas/${name}` };
}

function toContent(schema: Json | undefined, type = 'application/json'): Json {
  return { content: { [type]: schema ? { schema } : {} } };
}

interface Operations {
  readonly openapi?: string;
  readonly servers?: readonly Json[];
  readonly schemas?: Json;
  readonly paths: Json;
}

function toDocument({ openapi = '3.0.0', servers, schemas = {}, paths }: Operations): string {
  const info = { title: 'Studies', version: '1' };
  return JSON.stringify({
    openapi,
    info,
    paths,
    components: { schemas },
    ...(servers && { servers }),
  });
}

/** An operation with `schema` in its body and `answer` in its answer. */
function toOperation(schema: Json | undefined, answer: Json | undefined): Json {
  const responses = { 200: { description: '', ...(answer && toContent(answer)) } };
  return { ...(schema && { requestBody: toContent(schema) }), responses };
}

function toPaths(base: string, body: Json, answer: Json | undefined): Json {
  return {
    [base]: { post: toOperation(body, answer) },
    [`${base.replace(/\/$/, '')}/{key}`]: {
      patch: toOperation(body, undefined),
      get: toOperation(undefined, answer),
    },
  };
}

/** A document whose create and study say what a test is about, with the other operations. */
function toStudies(body: Json, answer: Json | undefined, others: Json = {}): string {
  return toDocument({ paths: { ...toPaths('/studies', body, answer), ...others } });
}

const lacking = { operations: { studies: false } };

it.each<[string, string, readonly [exit: number, contract: unknown, noted: string]]>([
  [
    'assumes the usual names where no answer is shown',
    toStudies(toObject(create), undefined),
    [1, lacking, 'The document does not show the answer to a create'],
  ],
  [
    'says which property a create demands that the gateway cannot send',
    toStudies(toObject({ ...create, tenant: text }, ['tenant']), toObject(study)),
    [1, lacking, 'createStudy demands "tenant", and the gateway has no field for it.'],
  ],
  [
    'does not take a property of the API’s own for a field by its type alone',
    toStudies(
      toObject({ ...create, bookmarked: undefined }),
      toObject({ ...study, bookmarked: undefined, isDeleted: { type: 'boolean' } }),
    ),
    [
      1,
      {
        request: { absent: { createStudy: ['bookmarked'], editStudy: ['bookmarked'] } },
        answer: { absent: ['bookmarked'] },
        ...lacking,
      },
      '/answer/absent has bookmarked. If it is one of the others (isDeleted), name it in /answer/names.',
    ],
  ],
  [
    'takes the only property of a type that requests and answers share',
    toStudies(
      toObject({ ...create, bookmarked: undefined, starred: { type: 'boolean' } }),
      toObject({ ...study, bookmarked: undefined, starred: { type: 'boolean' } }),
    ),
    [
      0,
      {
        request: { names: { bookmarked: 'starred' } },
        answer: { names: { bookmarked: 'starred' } },
        ...lacking,
      },
      'answer: bookmarked is "starred" by its type: check this',
    ],
  ],
  [
    'does not take a date for another text',
    toStudies(
      toObject(create),
      toObject({ ...study, planId: undefined, updatedAt: { type: 'string', format: 'date-time' } }),
    ),
    [0, { answer: { absent: ['planId'] }, ...lacking }, 'answer: not used: updatedAt'],
  ],
  [
    'says where the answers to two operations differ',
    toStudies(toObject(create), toObject(study), {
      '/studies/{key}': {
        get: toOperation(undefined, toObject({ data: toObject(study) })),
        patch: toOperation(toObject(edit), undefined),
      },
    }),
    [1, lacking, 'the answers have a study at "" and "/data", and the gateway looks at one place.'],
  ],
  [
    'demands nothing that only one of several forms of a body demands',
    toStudies(
      { oneOf: [toObject(create, ['projectId']), toObject(create, ['status'])] },
      toObject(study),
    ),
    [0, lacking, 'createStudy: POST /studies'],
  ],
  [
    'finds the header for keys, and operations below a prefix',
    toDocument({
      servers: [{ url: 'https://{host}/v1', variables: { host: { default: 'api.example' } } }],
      paths: {
        '/lab/studies/': {
          post: {
            ...toOperation(toObject(create), toObject(study)),
            parameters: [{ name: 'x-idempotency-key', in: 'header', schema: text }],
          },
        },
      },
    }),
    [
      0,
      {
        operations: {
          study: false,
          studies: false,
          createStudy: { path: '/v1/lab/studies/' },
          editStudy: false,
        },
        keys: { header: 'x-idempotency-key' },
      },
      'STUDY_API_URL=https://api.example\n',
    ],
  ],
])('%s', async (_, document, [exit, contract, noted]) => {
  const saved = await save(writeTemporary(document, 'openapi.json'));

  expect([saved.exit, saved.contract]).toEqual([exit, contract]);
  expect(saved.noted).toContain(noted);
});

it('reads schemas that contain themselves', async () => {
  const schemas = {
    Study: toObject({ ...study, parent: toReference('Study'), tree: toReference('Tree') }),
    Tree: { type: 'array', items: toReference('Tree') },
    Any: { anyOf: [toReference('Any'), text] },
  };
  const paths = toPaths('/studies', toObject({ ...create, any: toReference('Any') }), {
    $ref: '#/components/schemas/Study',
  });

  const { exit, contract } = await save(
    writeTemporary(toDocument({ schemas, paths }), 'openapi.json'),
  );

  expect([exit, contract]).toEqual([0, lacking]);
});

it.each([
  ['a document of Swagger 2', '{"swagger":"2.0","paths":{}}', 'is a document of Swagger 2.0'],
  ['a page of HTML', '<!doctype html><p>404</p>', 'is no document of OpenAPI 3.0 or 3.1'],
  ['other JSON', '{"message":"Unauthorized"}', 'is no document of OpenAPI 3.0 or 3.1'],
  ['no JSON and no YAML', '{"openapi": [', 'cannot be read'],
  ['a broken reference', toDocument({ paths: { '/studies': { $ref: '#/nowhere' } } }), 'nowhere'],
  [
    'a reference to another file, which is not fetched',
    toDocument({ paths: { '/studies': { $ref: 'file:///etc/hostname' } } }),
    'refers to "file:///etc/hostname": join its files into one first.',
  ],
])('refuses %s in words', async (_, content, words) => {
  const source = `${await serve(content)}/openapi.json`;

  const { exit, printed, noted } = await run('--from', source);

  expect([exit, printed]).toEqual([2, '']);
  expect(noted).toContain(source);
  expect(noted).toContain(words);
});

it.each([
  ['minimum: 0', { minimum: 0 }, 0],
  ['default: 0', { minimum: 0, default: 0 }, 0],
  ['a flag of OpenAPI 3.0', { minimum: 0, exclusiveMinimum: true }, undefined],
  ['default: 1', { default: 1 }, undefined],
  ['nothing', {}, ''],
])('takes the first page from %s', async (_, rule, firstPage) => {
  const query = ['page', 'size', 'projectId'].map((name) => ({
    name,
    in: 'query',
    schema: { type: 'integer', ...rule },
  }));
  const page = toObject({
    items: { type: 'array', items: toObject(study) },
    page: { type: 'integer' },
  });
  const document = toStudies(toObject(create), toObject(study), {
    '/studies': {
      get: { parameters: query, ...toOperation(undefined, page) },
      post: toOperation(toObject(create), toObject(study)),
    },
  });

  const { contract } = await save(writeTemporary(document, 'openapi.json'));

  const differs = firstPage === undefined ? {} : { operations: { studies: { firstPage } } };
  expect(contract).toEqual(differs);
});

it('keeps a file that a person may have settled', async () => {
  const document = writeTemporary(toStudies(toObject(create), toObject(study)), 'openapi.json');
  const file = writeTemporary('settled');

  const { exit, noted } = await run('--from', document, '--save', file);

  expect([exit, noted]).toEqual([
    2,
    expect.stringMatching(/contract\.json cannot be written: EEXIST/),
  ]);
  expect(readFileSync(file, 'utf8')).toBe('settled');
});

it('prints the contract without a file to save it to', async () => {
  const document = toStudies(toObject(create), toObject(study));
  const { exit, printed, noted } = await run('--from', writeTemporary(document, 'openapi.json'));

  const $schema = './node_modules/study-gateway-contract/contract.schema.json';
  expect([exit, JSON.parse(printed)]).toEqual([0, { $schema, ...lacking }]);
  expect(noted).not.toContain('STUDY_API_CONTRACT');
});

it.each([[], ['--from'], ['--form', 'a'], ['x']])(
  'names its help when it is asked for %s %s',
  async (...args) => {
    const given = args.filter((arg) => arg !== undefined);

    expect(await run(...given)).toEqual({
      exit: 2,
      printed: '',
      noted: 'Wrong arguments. See study-gateway contract --help.\n',
    });
  },
);
