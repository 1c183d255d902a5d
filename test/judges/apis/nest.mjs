// NestJS with @nestjs/swagger: global prefix (ignored by the document, which names it in `servers` with variables),
// class-validator with `forbidNonWhitelisted`, and the page of the usual PageDto and PageMetaDto.
import { answered, createFields, editFields, kinds } from './server.mjs';

const ref = (name) => ({ $ref: `#/components/schemas/${name}` });

/** `number` is what the plugin prints for each number; `Date` becomes a date-time. */
const prints = {
  uuid: { type: 'string', format: 'uuid' },
  'uuid?': { type: 'string', format: 'uuid', nullable: true },
  text: { type: 'string' },
  'text?': { type: 'string', nullable: true },
  date: { format: 'date-time', type: 'string' },
  boolean: { type: 'boolean' },
  texts: { type: 'array', items: { type: 'string' } },
  objects: { type: 'array', items: { type: 'object' } },
  'object?': { type: 'object', nullable: true },
  'integer?': { type: 'number', minimum: 0, nullable: true },
  progress: { nullable: true, allOf: [ref('ProgressDto')] },
};
const toSchema = (fields, required) => ({
  type: 'object',
  properties: Object.fromEntries(fields.map((field) => [field, prints[kinds[field]]])),
  ...(required.length > 0 && { required }),
});
const json = (schema) => ({ 'application/json': { schema } });
const id = { name: 'id', required: true, in: 'path', schema: { format: 'uuid', type: 'string' } };
const common = { tags: ['studies'], security: [{ bearer: [] }] };
const numbers = ['page', 'take', 'itemCount', 'pageCount'];
const flags = ['hasPreviousPage', 'hasNextPage'];

function document() {
  const list = {
    operationId: 'StudiesController_findAll',
    parameters: [
      {
        name: 'order',
        required: false,
        in: 'query',
        schema: { enum: ['ASC', 'DESC'], default: 'ASC', type: 'string' },
      },
      {
        name: 'page',
        required: false,
        in: 'query',
        schema: { minimum: 1, default: 1, type: 'number' },
      },
      {
        name: 'take',
        required: false,
        in: 'query',
        schema: { minimum: 1, maximum: 50, default: 10, type: 'number' },
      },
      {
        name: 'projectId',
        required: false,
        in: 'query',
        schema: { type: 'array', items: { type: 'string' } },
      },
    ],
    responses: {
      200: {
        description: '',
        content: json({
          allOf: [
            ref('PageDto'),
            { properties: { items: { type: 'array', items: ref('StudyDto') } } },
          ],
        }),
      },
    },
    ...common,
  };
  return JSON.stringify({
    openapi: '3.0.0',
    paths: {
      '/studies': {
        post: {
          operationId: 'StudiesController_create',
          parameters: [],
          requestBody: { required: true, content: json(ref('CreateStudyDto')) },
          responses: { 201: { description: '', content: json(ref('StudyDto')) } },
          ...common,
        },
        get: list,
      },
      '/studies/{id}': {
        get: {
          operationId: 'StudiesController_findOne',
          parameters: [id],
          responses: { 200: { description: '', content: json(ref('StudyDto')) } },
          ...common,
        },
        patch: {
          operationId: 'StudiesController_update',
          parameters: [id],
          requestBody: { required: true, content: json(ref('UpdateStudyDto')) },
          responses: { 200: { description: '', content: json(ref('StudyDto')) } },
          ...common,
        },
      },
    },
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
          type: 'object',
          properties: Object.fromEntries(
            ['total', 'completed', 'failed'].map((name) => [name, { type: 'number' }]),
          ),
          required: ['total', 'completed', 'failed'],
        },
        StudyDto: toSchema(answered, answered),
        CreateStudyDto: toSchema(createFields, ['description', 'projectId']),
        UpdateStudyDto: toSchema(editFields, []),
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
