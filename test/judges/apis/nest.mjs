// NestJS with @nestjs/swagger: global prefix (ignored by the document, which names it in `servers` with variables),
// class-validator with `forbidNonWhitelisted`, and the page of the usual PageDto and PageMetaDto.
import { answered, createFields, createPrint, editFields, toPaths, toProgress } from './server.mjs';

const ref = (name) => ({ $ref: `#/components/schemas/${name}` });

// The plugin prints "number" for each number.
const print = createPrint({
  integer: { type: 'number', minimum: 0 },
  progress: { nullable: true, allOf: [ref('ProgressDto')] },
});
const json = (schema) => ({ 'application/json': { schema } });
const response = (schema, status = 200) => ({
  [status]: { description: '', content: json(schema) },
});
const id = { name: 'id', required: true, in: 'path', schema: { format: 'uuid', type: 'string' } };
const query = (name, schema) => ({ name, required: false, in: 'query', schema });
const common = { tags: ['studies'], security: [{ bearer: [] }] };
const numbers = ['page', 'take', 'itemCount', 'pageCount'];
const flags = ['hasPreviousPage', 'hasNextPage'];

function document() {
  const items = { properties: { items: { type: 'array', items: ref('StudyDto') } } };
  return JSON.stringify({
    openapi: '3.0.0',
    paths: toPaths({
      path: '/studies',
      one: '/studies/{id}',
      id,
      query: [
        query('order', { enum: ['ASC', 'DESC'], default: 'ASC', type: 'string' }),
        query('page', { minimum: 1, default: 1, type: 'number' }),
        query('take', { minimum: 1, maximum: 50, default: 10, type: 'number' }),
        query('projectId', { type: 'array', items: { type: 'string' } }),
      ],
      page: response({ allOf: [ref('PageDto'), items] }),
      create: { required: true, content: json(ref('CreateStudyDto')) },
      created: response(ref('StudyDto'), 201),
      edit: { required: true, content: json(ref('UpdateStudyDto')) },
      study: response(ref('StudyDto')),
      common,
    }),
    info: { title: 'Studies', description: '', version: '1.0', contact: {} },
    tags: [],
    servers: [
      {
        url: 'http://{host}/{prefix}',
        description: 'Study service',
        variables: { host: { default: 'localhost:3000' }, prefix: { default: 'api' } },
      },
    ],
    components: {
      securitySchemes: { bearer: { scheme: 'bearer', bearerFormat: 'JWT', type: 'http' } },
      schemas: {
        ProgressDto: {
          ...toProgress({ type: 'number' }),
          required: ['total', 'completed', 'failed'],
        },
        StudyDto: print(answered, answered),
        CreateStudyDto: print(createFields, ['description', 'projectId']),
        UpdateStudyDto: print(editFields),
        PageMetaDto: {
          type: 'object',
          properties: Object.fromEntries([
            ...numbers.map((name) => [name, { type: 'number' }]),
            ...flags.map((name) => [name, { type: 'boolean' }]),
          ]),
          required: [...numbers, ...flags],
        },
        PageDto: {
          type: 'object',
          properties: {
            items: { type: 'array', items: { type: 'array' } },
            meta: ref('PageMetaDto'),
          },
          required: ['items', 'meta'],
        },
      },
    },
  });
}

const texts = {
  min: 'must not be less than 0',
  required: 'must be a UUID',
  unknown: 'should not exist',
};

export const nest = {
  name: 'NestJS',
  documentPath: '/api-json',
  document,
  base: '/api',
  path: '/studies',
  item: '/([^/]+)',
  parameters: { page: 'page', size: 'take', project: 'projectId' },
  maxSize: 50,
  projects: 'repeated',
  refusesProjects: [
    400,
    { message: ['each value in projectId must be a UUID'], error: 'Bad Request', statusCode: 400 },
  ],
  numbers: ({ page, size, total, pages }) => ({ page, size, total, pages }),
  creates: createFields,
  edits: editFields,
  required: ['description', 'projectId'],
  refusesUnknown: true,
  created: 201,
  reason: { field: 'interviewCount', message: 'interviewCount must not be less than 0' },
  toAnswer: (study) => study,
  toItem: (study) => study,
  toPage: (items, { page, size, total, pages }) => {
    const [hasPreviousPage, hasNextPage] = [page > 1, page < pages];
    const meta = { page, take: size, itemCount: total, pageCount: pages };
    return { items, meta: { ...meta, hasPreviousPage, hasNextPage } };
  },
  invalid: (field, rule) => {
    const subject = rule === 'unknown' ? `property ${field}` : field;
    const message = [`${subject} ${texts[rule]}`];
    return [400, { message, error: 'Bad Request', statusCode: 400 }];
  },
  notFound: (_, missing) => {
    const message = `Study ${missing} not found`;
    return [404, { message, error: 'Not Found', statusCode: 404 }];
  },
  unauthorized: () => [401, { message: 'Unauthorized', statusCode: 401 }],
  noRoute: (method, path) => {
    const message = `Cannot ${method} ${path}`;
    return [404, { message, error: 'Not Found', statusCode: 404 }];
  },
};
