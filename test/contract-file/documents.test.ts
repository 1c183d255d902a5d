import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { run, save, writeTemporary } from './contract.fixture.js';

type Json = Readonly<Record<string, unknown>>;

const text = { type: 'string' };
const uuid = { type: 'string', format: 'uuid' };
const integer = { type: 'integer' };

/** Properties of the body of a create and of a study, as an API in camel case has them. */
const { schemas } = JSON.parse(readFileSync('schema/study-api.openapi.json', 'utf8')).components;
const create: Json = schemas.CreateStudy.properties;
const study: Json = schemas.Study.properties;

function toObject(properties: Json, required: readonly string[] = []): Json {
  return { type: 'object', properties, ...(required.length > 0 && { required }) };
}

function toReference(name: string): Json {
  return { $ref: `#/components/schemas/${name}` };
}

function toContent(schema: Json): Json {
  return { content: { 'application/json': { schema } } };
}

function toDocument(paths: Json, schemas: Json = {}, others: Json = {}): string {
  const info = { title: 'Studies', version: '1' };
  return JSON.stringify({ openapi: '3.0.0', info, paths, components: { schemas }, ...others });
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
  return toDocument({ ...toPaths('/studies', body, answer), ...others });
}

const lacking = { operations: { studies: false } };
it.each<[string, string, readonly [exit: number, contract: unknown, printed: string]]>([
  [
    'assumes the usual names where no answer is shown',
    toStudies(toObject(create), undefined),
    [1, lacking, 'The document does not show the answers'],
  ],
  [
    'asks for the name of the id, without which there is no study',
    toStudies(toObject(create), toObject({ ...study, id: undefined, key: uuid })),
    [
      1,
      { answer: { names: { id: '' } }, ...lacking },
      '/answer/names/id: name the property (key).',
    ],
  ],
  [
    'does not take a property of the API’s own for a field, and names it',
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
      '/answer/absent has bookmarked. What is one of the others (isDeleted) must be named in /answer/names.',
    ],
  ],
  [
    'demands nothing that only one of several forms of a body demands, or that is read-only',
    toStudies(
      {
        oneOf: [toObject(create, ['projectId']), toObject(create, ['status'])],
        allOf: [toObject({ planId: { type: 'string', readOnly: true } }, ['planId'])],
      },
      toObject(study),
    ),
    [0, lacking, 'Start the gateway with:'],
  ],
  [
    'finds operations below a prefix, and the defaults of the server’s variables',
    toDocument(
      { '/lab/studies/': { post: toOperation(toObject(create), toObject(study)) } },
      {},
      { servers: [{ url: 'https://{host}/v1', variables: { host: { default: 'api.example' } } }] },
    ),
    [
      0,
      {
        operations: {
          study: false,
          studies: false,
          createStudy: { path: '/v1/lab/studies/' },
          editStudy: false,
        },
      },
      'STUDY_API_URL=https://api.example\n',
    ],
  ],
  [
    'reads schemas that contain themselves',
    toDocument(toPaths('/studies', toObject(create), toReference('Study')), {
      Study: toObject({ ...study, parent: toReference('Study'), base: toReference('Base') }),
      Base: { oneOf: [toReference('Child')], properties: { tree: toReference('Tree') } },
      Child: { allOf: [toReference('Base'), toObject({ name: text })] },
      Tree: { type: 'array', items: toReference('Tree') },
    }),
    [0, lacking, 'Start the gateway with:'],
  ],
  [
    'says that it cannot serve ids that are numbers',
    toStudies(toObject(create), toObject({ ...study, id: integer })),
    [1, lacking, 'The ids of studies are numbers and no UUIDs'],
  ],
  [
    'says that it found no create',
    toDocument(toPaths('/projects/{project}/studies', toObject(create), toObject(study))),
    [
      1,
      { operations: { study: false, studies: false, createStudy: false, editStudy: false } },
      'The document has no "POST /studies": name the paths in /operations.',
    ],
  ],
])('%s', async (_, document, [exit, contract, printed]) => {
  const saved = await save(writeTemporary(document, 'openapi.json'));

  expect([saved.exit, saved.contract]).toEqual([exit, contract]);
  expect(saved.printed).toContain(printed);
});

it.each([
  ['Swagger 2', '{"swagger":"2.0","paths":{}}', 'it has no paths of OpenAPI 3.0 or 3.1'],
  ['YAML', 'openapi: 3.0.0\npaths: {}\n', 'Unexpected token'],
  [
    'a reference to another file, which is not fetched',
    toDocument({ '/studies': { $ref: 'file:///etc/hostname' } }),
    'it does not have "file:///etc/hostname"',
  ],
])('refuses %s, and says what makes a document of it', async (_, content, words) => {
  const source = writeTemporary(content, 'openapi.json');

  const { exit, contract, printed } = await save(source);

  expect([exit, contract]).toEqual([2, undefined]);
  expect(printed).toContain(`"npx @redocly/cli bundle ${source} --output openapi.json"`);
  expect(printed).toContain(words);
});

it.each([
  [0, { minimum: 0 }],
  ['', { minimum: 0, exclusiveMinimum: true }],
])('takes the first page, %j, from %j', async (firstPage, rule) => {
  const parameters = ['page', 'size', 'projectId'].map((name) => ({
    name,
    in: 'query',
    schema: { ...integer, ...rule },
  }));
  const page = toObject({ items: { type: 'array', items: toObject(study) }, page: integer });
  const document = toStudies(toObject(create), toObject(study), {
    '/studies': {
      get: { parameters, ...toOperation(undefined, page) },
      post: toOperation(toObject(create), toObject(study)),
    },
  });

  const { contract } = await save(writeTemporary(document, 'openapi.json'));

  expect(contract).toEqual({ operations: { studies: { firstPage } } });
});

it('says first which address cannot be reached, and why', async () => {
  // No program listens on a port below 1024 that nobody has asked for.
  const { exit, printed } = await save('http://127.0.0.1:2/openapi.json');

  const [reason] = printed.split('\n');
  expect([exit, reason]).toEqual([
    2,
    'http://127.0.0.1:2/openapi.json cannot be read: connect ECONNREFUSED 127.0.0.1:2',
  ]);
});

it('keeps a file that a person may have settled', async () => {
  const document = writeTemporary(toStudies(toObject(create), toObject(study)), 'openapi.json');
  const file = writeTemporary('settled');

  const { exit, printed } = await run('--from', document, '--save', file);

  expect([exit, printed]).toEqual([2, expect.stringContaining(`EEXIST: file already exists`)]);
  expect(printed).toContain(file);
  expect(readFileSync(file, 'utf8')).toBe('settled');
});

it('refuses unknown arguments', async () => {
  const printed = expect.stringContaining("Unknown option '--form'");
  expect(await run('--form', 'a')).toEqual({ exit: 2, printed });
});
