// Laravel with JSON:API resources in answers and flat form requests, documented by Scramble: OpenAPI 3.1, types with
// "null", inline pages with `meta`, the server's path in `servers`.
import {
  answered,
  createFields,
  createPrint,
  editFields,
  toPaths,
  toProgress,
  toSnake,
  toTyped,
  without,
} from './server.mjs';

const ref = (name) => ({ $ref: `#/components/schemas/${name}` });
const print = createPrint(
  {
    integer: { type: 'integer', minimum: 0 },
    progress: { ...toProgress(), required: ['total', 'completed', 'failed'] },
  },
  { nullable: (schema) => ({ ...schema, type: [schema.type, 'null'] }), toName: toSnake },
);
const json = (schema) => ({ 'application/json': { schema } });
const resource = {
  type: 'object',
  properties: { data: ref('StudyResource') },
  required: ['data'],
};
const responses = (status, schema = resource) => ({
  [status]: { description: '`StudyResource`', content: json(schema) },
  422: { $ref: '#/components/responses/ValidationException' },
});

function document(origin) {
  const integer = { type: 'integer' };
  const nullable = { type: ['integer', 'null'] };
  const query = (name, schema) => ({ name, in: 'query', schema });
  const page = {
    type: 'object',
    properties: {
      data: { type: 'array', items: ref('StudyResource') },
      links: toTyped({ type: ['string', 'null'] }, 'first', 'last', 'prev', 'next'),
      meta: {
        type: 'object',
        properties: {
          current_page: integer,
          from: nullable,
          last_page: integer,
          path: { type: ['string', 'null'] },
          per_page: { ...integer, description: 'Number of items shown per page.' },
          to: nullable,
          total: integer,
        },
        required: ['current_page', 'from', 'last_page', 'path', 'per_page', 'to', 'total'],
      },
    },
    required: ['data', 'links', 'meta'],
  };
  return JSON.stringify({
    openapi: '3.1.0',
    info: { title: 'Laravel', version: '0.0.1' },
    servers: [{ url: `${origin}/api` }],
    security: [{ http: [] }],
    paths: toPaths({
      path: '/v1/studies',
      one: '/v1/studies/{study}',
      id: { name: 'study', in: 'path', required: true, schema: { type: 'string' } },
      query: [
        query('page', { type: 'integer' }),
        query('per_page', { type: 'integer', minimum: 1, maximum: 100 }),
        query('filter[project_id]', { type: 'string' }),
      ],
      page: responses(200, page),
      create: { required: true, content: json(ref('StoreStudyRequest')) },
      created: responses(201),
      edit: { content: json(ref('UpdateStudyRequest')) },
      study: responses(200),
      common: { tags: ['Study'] },
    }),
    components: {
      securitySchemes: { http: { type: 'http', scheme: 'bearer' } },
      schemas: {
        StoreStudyRequest: { ...print(createFields, ['projectId']), title: 'StoreStudyRequest' },
        UpdateStudyRequest: { ...print(editFields), title: 'UpdateStudyRequest' },
        StudyResource: {
          type: 'object',
          properties: {
            id: { type: 'string' },
            type: { type: 'string', const: 'studies' },
            attributes: print(without(answered, ['id']), without(answered, ['id'])),
          },
          required: ['id', 'type', 'attributes'],
          title: 'StudyResource',
        },
      },
      responses: {
        ValidationException: {
          description: 'Validation error',
          content: json({
            type: 'object',
            properties: { errors: { type: 'array', items: { type: 'object' } } },
          }),
        },
      },
    },
  });
}

const toResource = ({ id: own, ...attributes }) => ({ id: own, type: 'studies', attributes });
const texts = {
  min: (name) => `The ${name} field must be at least 0.`,
  required: (name) => `The ${name} field is required.`,
};
const error = (status, title, more) => [
  status,
  { errors: [{ status: String(status), title, ...more }] },
];

export const laravel = {
  name: 'JSON:API, flat requests',
  documentPath: '/docs/api.json',
  document,
  base: '/api',
  path: '/v1/studies',
  item: '/([^/]+)',
  toName: toSnake,
  parameters: { page: 'page', size: 'per_page', project: 'filter[project_id]' },
  numbers: ({ page, size, total, pages }) => ({ page, size, total, pages }),
  creates: createFields,
  edits: editFields,
  required: ['projectId'],
  created: 201,
  reason: { field: 'interviewCount', message: 'The interview count field must be at least 0.' },
  toAnswer: (study) => ({ data: toResource(study) }),
  toItem: toResource,
  toPage: (data, { page, size, total, pages }) => {
    const links = { first: '/api/v1/studies?page=1', last: null, prev: null, next: null };
    const numbers = { current_page: page, last_page: Math.max(pages, 1), per_page: size, total };
    return { data, links, meta: { ...numbers, path: '/api/v1/studies' } };
  },
  invalid: (field, rule) => {
    const detail = texts[rule](field.replaceAll('_', ' '));
    return error(422, 'Unprocessable Content', { detail, source: { pointer: `/${field}` } });
  },
  notFound: () => error(404, 'Not Found', { detail: 'No study has this id.' }),
  unauthorized: () => error(401, 'Unauthorized', { detail: 'Unauthenticated.' }),
  noRoute: (_, path) => [404, { message: `The route ${path.slice(1)} could not be found.` }],
};
