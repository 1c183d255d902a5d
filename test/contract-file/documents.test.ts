import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { listen } from '../support/listen.js';
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

/** Properties of a body whose names no rule finds. */
const foreign = { a: text, b: text, c: texts, d: uuid };

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

/** A document in the manner of NestJS, written by hand. */
const nest = toDocument({
  schemas: {
    CreateStudyDto: toObject(create, ['projectId']),
    UpdateStudyDto: toObject({ ...edit, tenant: text }),
    Study: toObject(study),
    Envelope: toObject({ success: { type: 'boolean' }, data: { type: 'object' } }),
  },
  paths: {
    '/api/auth/login': {
      post: {
        requestBody: toContent(toObject({ name: text, password: text })),
        responses: { 201: { description: '' } },
      },
    },
    '/api/studies': {
      post: {
        operationId: 'StudiesController_create',
        parameters: [{ name: 'x-idempotency-key', in: 'header', schema: text }],
        requestBody: { required: true, ...toContent(toReference('CreateStudyDto')) },
        responses: {
          201: {
            description: '',
            ...toContent({
              allOf: [toReference('Envelope'), { properties: { data: toReference('Study') } }],
            }),
          },
        },
      },
      get: {
        operationId: 'StudiesController_findAll',
        parameters: [
          { name: 'page', required: false, in: 'query', schema: { type: 'number' } },
          { name: 'limit', required: false, in: 'query', schema: { type: 'number' } },
        ],
        responses: {
          200: {
            description: '',
            ...toContent(
              toObject({
                data: { type: 'array', items: toReference('Study') },
                meta: toObject({ page: { type: 'number' }, total: { type: 'number' } }),
              }),
            ),
          },
        },
      },
    },
    '/api/studies/{id}': {
      parameters: [{ name: 'id', required: true, in: 'path', schema: text }],
      put: { requestBody: toContent(toReference('UpdateStudyDto')), responses: {} },
      patch: {
        operationId: 'StudiesController_update',
        requestBody: { required: true, ...toContent(toReference('UpdateStudyDto')) },
        responses: { 200: { description: '' } },
      },
    },
  },
});

const nestContract = {
  request: { required: { createStudy: ['projectId'] } },
  answer: { at: '/data' },
  operations: {
    study: false,
    studies: {
      items: '/data',
      numbers: { page: '/meta/page', total: '/meta/total' },
      parameters: { size: 'limit' },
      absent: ['projectId'],
      firstPage: '',
    },
  },
  keys: { header: 'x-idempotency-key' },
};

it('reads a document in the manner of NestJS, written by hand', async () => {
  const url = await serve(nest);

  const { exit, contract, noted } = await save(`${url}/api-json`);

  expect([exit, contract]).toEqual([1, nestContract]);
  expect(noted).toBe(`Matched:
  answer: 23 by name, 0 by case, 0 by type
  request: 16 by name, 0 by case, 0 by type
  request: not used: tenant
  study: the document has no such operation
  studies: GET /api/studies
  createStudy: POST /api/studies
  editStudy: PATCH /api/studies/{id}
A person must settle:
  /operations/studies/firstPage: the document does not show whether it is 0 or 1.
Start the gateway with:
  STUDY_API_URL=${url}/api
  STUDY_API_CONTRACT=${/STUDY_API_CONTRACT=(.*)/.exec(noted)?.[1]}
`);
});

/** A document in the manner of springdoc, written by hand. */
const spring = toDocument({
  openapi: '3.1.0',
  servers: [{ url: 'https://studies.example/v2/' }],
  schemas: {
    Study: toObject({ ...study, parent: toReference('Study'), tree: toReference('Tree') }),
    Tree: { type: 'array', items: toReference('Tree') },
    Triple: toObject(
      Object.fromEntries(['a', 'b', 'c'].map((side) => [side, toReference('Triple')])),
    ),
    Any: { anyOf: [toReference('Any'), text, toReference('Triple')] },
    StudyRequest: toObject(create),
    PageStudy: toObject({
      content: { type: 'array', items: toReference('Study') },
      number: { type: 'integer', format: 'int32' },
      size: { type: 'integer', format: 'int32' },
      totalElements: { type: 'integer', format: 'int64' },
      totalPages: { type: 'integer', format: 'int32' },
      first: { type: 'boolean' },
      any: toReference('Any'),
    }),
    Pageable: toObject({
      page: { type: 'integer', minimum: 0 },
      size: { type: 'integer', minimum: 1 },
      sort: texts,
    }),
  },
  paths: {
    '/studies': {
      get: {
        parameters: [
          { name: 'pageable', in: 'query', required: true, schema: toReference('Pageable') },
          { name: 'projectId', in: 'query', schema: { type: 'array', items: uuid } },
        ],
        responses: { 200: { description: 'OK', ...toContent(toReference('PageStudy'), '*/*') } },
      },
      post: {
        requestBody: { required: true, ...toContent(toReference('StudyRequest')) },
        responses: { 200: { description: 'OK', ...toContent(toReference('Study'), '*/*') } },
      },
    },
    '/studies/{id}': {
      get: { responses: { 200: { description: 'OK', ...toContent(toReference('Study'), '*/*') } } },
    },
    '/studies/{id}/details': {
      patch: {
        requestBody: toContent(toObject(edit)),
        responses: { 200: { description: 'OK', ...toContent(toReference('Study'), '*/*') } },
      },
    },
  },
});

const springContract = {
  operations: {
    studies: {
      items: '/content',
      numbers: { page: '/number', total: '/totalElements', pages: '/totalPages' },
      projects: 'repeated',
      firstPage: 0,
    },
    editStudy: { path: '/studies/{id}/details' },
  },
};

it('reads a document in the manner of springdoc, written by hand, with schemas that contain themselves', async () => {
  const { exit, contract, noted } = await save(`${await serve(spring)}/v3/api-docs`);

  expect([exit, contract]).toEqual([0, springContract]);
  expect(noted).toContain('STUDY_API_URL=https://studies.example/v2\n');
});

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

it.each<[string, Json, readonly [exit: number, contract: unknown, open: string]]>([
  [
    'names an answer that the document does not show as open',
    {
      '/studies/{key}/interviews/{interview}': { get: toOperation(undefined, undefined) },
      ...toPaths('/studies', toObject(create), undefined),
    },
    [
      1,
      { answer: { naming: '' }, operations: { studies: false } },
      '/answer/naming: the document does not show the answer to createStudy.',
    ],
  ],
  [
    'finds operations by their fields at paths of another word',
    toPaths('/surveys/', toObject(create), toObject(study)),
    [
      0,
      {
        operations: {
          study: { path: '/surveys/{id}' },
          studies: false,
          createStudy: { path: '/surveys/' },
          editStudy: { path: '/surveys/{id}' },
        },
      },
      '',
    ],
  ],
  [
    'leaves the path open if nothing is like a create',
    { '/users': { post: toOperation(toObject({ name: text }), undefined) } },
    [
      1,
      {
        answer: { naming: '' },
        operations: { study: false, studies: false, createStudy: { path: '' }, editStudy: false },
      },
      '/operations/createStudy/path: the document shows no POST of a study.',
    ],
  ],
  [
    'says which property a create demands that the gateway cannot send',
    toPaths('/studies', toObject({ ...create, tenant: text }, ['tenant']), toObject(study)),
    [
      1,
      { operations: { studies: false } },
      'createStudy demands "tenant", and the gateway has no field for it so far.',
    ],
  ],
  [
    'does not take a property of the API’s own for a field by its type alone',
    toPaths(
      '/studies',
      toObject({ ...create, bookmarked: undefined }),
      toObject({ ...study, bookmarked: undefined, isDeleted: { type: 'boolean' } }),
    ),
    [
      1,
      {
        request: { absent: { createStudy: ['bookmarked'], editStudy: ['bookmarked'] } },
        answer: { names: { bookmarked: '' } },
        operations: { studies: false },
      },
      '/answer/names/bookmarked: name the property (isDeleted), or put "bookmarked" into "absent".',
    ],
  ],
  [
    'says that the line of a field that is never null can be removed',
    toPaths('/studies', toObject(create), toObject({ ...study, audiencesObj: undefined })),
    [
      1,
      { answer: { names: { audiencesObj: '' } }, operations: { studies: false } },
      '/answer/names/audiencesObj: name the property (none is left), or remove the line: the gateway then assumes "audiencesObj".',
    ],
  ],
  [
    'finds an edit of another path by the properties of the create',
    {
      '/studies': { post: toOperation(toObject(foreign), toObject(study)) },
      '/studies/{id}/tags': { patch: toOperation(toObject({ tags: texts }), undefined) },
      '/studies/{id}/details': { patch: toOperation(toObject(foreign), undefined) },
    },
    [
      1,
      {
        request: expect.any(Object),
        operations: {
          study: false,
          studies: false,
          editStudy: { path: '/studies/{id}/details' },
        },
      },
      'request: not used: a, b, c, d\n',
    ],
  ],
  [
    'leaves parameters of other names open',
    {
      ...toPaths('/studies', toObject(create), toObject(study)),
      '/studies': {
        post: toOperation(toObject(create), toObject(study)),
        get: {
          parameters: [
            { name: 'offset', in: 'query', schema: { type: 'integer', minimum: 0, default: 0 } },
            { name: 'n', in: 'query', schema: { type: 'integer', minimum: 1, default: 50 } },
          ],
          ...toOperation(undefined, { type: 'array', items: toObject(study) }),
        },
      },
    },
    [
      1,
      {
        operations: {
          studies: { parameters: { page: '', size: '' }, absent: ['projectId'], firstPage: 0 },
        },
      },
      '/operations/studies/parameters/page: name the parameter (offset, n), or put "page" into "absent".',
    ],
  ],
  [
    'does not take a date for another text',
    toPaths(
      '/studies',
      toObject(create),
      toObject({ ...study, planId: undefined, updatedAt: { type: 'string', format: 'date-time' } }),
    ),
    [
      0,
      { answer: { absent: ['planId'] }, operations: { studies: false } },
      'answer: not used: updatedAt',
    ],
  ],
  [
    'says where the answers to two operations differ',
    {
      ...toPaths('/studies', toObject(create), toObject(study)),
      '/studies/{key}': {
        get: toOperation(undefined, toObject({ data: toObject(study) })),
        patch: toOperation(toObject(edit), undefined),
      },
    },
    [
      1,
      { operations: { studies: false } },
      '/answer/at: the answers have a study at "" and "/data", and the gateway looks at one place.',
    ],
  ],
  [
    'says which property is of another type than is assumed',
    toPaths('/studies', toObject({ ...create, strategy: texts }), toObject(study)),
    [
      0,
      { operations: { studies: false } },
      'request: strategy is "strategy", of another type than is assumed (texts)',
    ],
  ],
  [
    'demands nothing that only one of several forms of a body demands, and reads null in any order',
    toPaths(
      '/studies',
      { oneOf: [toObject(create, ['projectId']), toObject(create, ['status'])] },
      toObject({ ...study, key: { type: ['null', 'boolean'] }, bookmarked: undefined }),
    ),
    [
      1,
      { answer: { names: { bookmarked: '' } }, operations: { studies: false } },
      '/answer/names/bookmarked: name the property (key), or put "bookmarked" into "absent".',
    ],
  ],
])('%s', async (_, paths, [exit, contract, open]) => {
  const saved = await save(writeTemporary(toDocument({ paths }), 'openapi.json'));

  expect([saved.exit, saved.contract]).toEqual([exit, contract]);
  expect(saved.noted).toContain(open);
});

it('reads YAML, and references to other files', async () => {
  const file = writeTemporary(
    `openapi: 3.1.0
info: { title: Studies, version: '1' }
paths:
  /studies:
    post:
      requestBody: { content: { application/json: { schema: { $ref: create.json } } } }
      responses: { '201': { content: { application/json: { schema: { $ref: study.json } } } } }
`,
    'openapi.yaml',
  );
  writeFileSync(join(dirname(file), 'create.json'), JSON.stringify(toObject(create)));
  writeFileSync(join(dirname(file), 'study.json'), JSON.stringify(toObject(study)));

  const { exit, contract } = await save(file);

  const operations = { study: false, studies: false, editStudy: false };
  expect([exit, contract]).toEqual([0, { operations }]);
});

it.each([
  ['a document of Swagger 2', '{"swagger":"2.0","paths":{}}', 'is a document of Swagger 2.0'],
  ['a page of HTML', '<!doctype html><p>404</p>', 'cannot be read'],
  ['other JSON', '{"message":"Unauthorized"}', 'is no document of OpenAPI 3.0 or 3.1'],
  ['a broken reference', toDocument({ paths: { '/studies': { $ref: '#/nowhere' } } }), 'nowhere'],
  [
    'a reference to a file on the reader’s machine',
    toDocument({ paths: { '/studies': { $ref: 'file:///etc/hostname' } } }),
    'cannot be read',
  ],
  [
    'a reference to another origin',
    toDocument({ paths: { '/studies': { $ref: 'http://127.0.0.1:9/studies.json' } } }),
    'cannot be read',
  ],
])('refuses %s in words', async (_, content, words) => {
  const source = `${await serve(content)}/openapi.json`;

  const { exit, printed, noted } = await run('--from', source);

  expect([exit, printed]).toEqual([2, '']);
  expect(noted).toContain(source);
  expect(noted).toContain(words);
});

it('asks no other origin for what a document refers to', async () => {
  const asked: (string | undefined)[] = [];
  const other = await listen(
    createServer(({ url }, response) => {
      asked.push(url);
      response.setHeader('content-type', 'application/json').end(JSON.stringify(toObject(study)));
    }),
  );
  const schema = { $ref: `${other}/study.json` };
  const document = toDocument({ paths: toPaths('/studies', toObject(create), schema) });

  const { exit } = await run('--from', `${await serve(document)}/openapi.json`);

  expect([exit, asked]).toEqual([2, []]);
});

it.each([
  ['minimum: 0', { minimum: 0 }, 0],
  ['default: 0', { minimum: 0, default: 0 }, 0],
  ['a flag of OpenAPI 3.0', { minimum: 0, exclusiveMinimum: true }, undefined],
  ['a number of OpenAPI 3.1', { exclusiveMinimum: 0 }, undefined],
  ['default: 1', { default: 1 }, undefined],
  ['nothing', {}, ''],
])('takes the first page from %s', async (_, rule, firstPage) => {
  const query = ['page', 'size', 'projectId'].map((name) => ({
    name,
    in: 'query',
    schema: { type: 'integer', ...rule },
  }));
  const page = toObject({ items: { type: 'array', items: toObject(study) } });
  const paths = {
    ...toPaths('/studies', toObject(create), toObject(study)),
    '/studies': {
      get: { parameters: query, ...toOperation(undefined, page) },
      post: toOperation(toObject(create), toObject(study)),
    },
  };

  const { contract } = await save(writeTemporary(toDocument({ paths }), 'openapi.json'));

  const differs = firstPage === undefined ? {} : { operations: { studies: { firstPage } } };
  expect(contract).toEqual(differs);
});

it('says that nothing answers at a URL', async () => {
  const source = 'http://127.0.0.1:9/openapi.json';

  expect(await run('--from', source)).toEqual({
    exit: 2,
    printed: '',
    noted: expect.stringContaining(`${source} cannot be read: `),
  });
});

it('keeps a file that a person may have settled', async () => {
  const document = writeTemporary(spring, 'openapi.json');
  const file = writeTemporary('settled');

  const { exit, noted } = await run('--from', document, '--save', file);

  expect([exit, noted]).toEqual([
    2,
    expect.stringMatching(/contract\.json cannot be written: EEXIST/),
  ]);
  expect(readFileSync(file, 'utf8')).toBe('settled');
});

it('prints the contract without a file to save it to', async () => {
  const { exit, printed, noted } = await run('--from', writeTemporary(spring, 'openapi.json'));

  const $schema = './node_modules/study-gateway-contract/contract.schema.json';
  expect([exit, JSON.parse(printed)]).toEqual([0, { $schema, ...springContract }]);
  expect(noted).not.toContain('STUDY_API_CONTRACT');
});

it.each([
  [],
  ['--from'],
  ['--openapi', '--from', 'a'],
  ['--openapi', '--save', 'a'],
  ['--form', 'a'],
  ['x'],
])('names its help when it is asked for %s %s %s', async (...args) => {
  const given = args.filter((arg) => arg !== undefined);

  expect(await run(...given)).toEqual({
    exit: 2,
    printed: '',
    noted: 'Wrong arguments. See study-gateway contract --help.\n',
  });
});
