// Django REST framework with drf-spectacular: trailing slashes, snake_case, one `Study` with `readOnly` for answers and
// requests, `PatchedStudy`, JSONField without a type, PageNumberPagination, the document as YAML or JSON.
import { stringify } from 'yaml';
import {
  answered,
  createFields,
  createPrint,
  toPaths,
  toProgress,
  toSnake,
  without,
} from './server.mjs';

const ref = (name) => ({ $ref: `#/components/schemas/${name}` });
const readOnly = without(answered, without(createFields, ['createdAt']));
const print = createPrint(
  {
    text: { type: 'string', maxLength: 255 },
    objects: { type: 'array', items: { type: 'object', additionalProperties: {} } },
    object: {},
    integer: { type: 'integer', maximum: 2147483647, minimum: 0 },
    progress: { allOf: [ref('Progress')], nullable: true },
  },
  { toName: toSnake },
);
const { properties } = print(answered);
for (const field of readOnly)
  properties[toSnake(field)] = { ...properties[toSnake(field)], readOnly: true };
const response = (name) => ({
  200: { content: { 'application/json': { schema: ref(name) } }, description: '' },
});
const body = (name) => {
  const types = ['application/json', 'application/x-www-form-urlencoded', 'multipart/form-data'];
  return { content: Object.fromEntries(types.map((type) => [type, { schema: ref(name) }])) };
};
const common = { tags: ['studies'], security: [{ jwtAuth: [] }] };
const id = {
  in: 'path',
  name: 'id',
  schema: { type: 'string', format: 'uuid' },
  description: 'A UUID string identifying this study.',
  required: true,
};

function document(origin, accept) {
  const page = (number) => `${origin}/api/studies/?page=${number}`;
  const link = (number) => ({
    type: 'string',
    nullable: true,
    format: 'uri',
    example: page(number),
  });
  const query = (name, description, schema) => ({
    name,
    required: false,
    in: 'query',
    description,
    schema,
  });
  // The renderers of drf-spectacular: YAML, unless JSON is asked for.
  const render = /\bjson\b/.test(accept) ? JSON.stringify : stringify;
  return render({
    openapi: '3.0.3',
    info: { title: 'Study API', version: '0.0.0' },
    paths: toPaths({
      path: '/api/studies/',
      one: '/api/studies/{id}/',
      id,
      query: [
        query('page', 'A page number within the paginated result set.', { type: 'integer' }),
        query('page_size', 'Number of results to return per page.', { type: 'integer' }),
        { in: 'query', name: 'project_id', schema: { type: 'string', format: 'uuid' } },
      ],
      page: response('PaginatedStudyList'),
      create: { ...body('Study'), required: true },
      created: { 201: response('Study')[200] },
      edit: body('PatchedStudy'),
      study: response('Study'),
      common,
      more: {
        put: {
          parameters: [id],
          ...common,
          requestBody: { ...body('Study'), required: true },
          responses: response('Study'),
        },
        delete: {
          parameters: [id],
          ...common,
          responses: { 204: { description: 'No response body' } },
        },
      },
    }),
    components: {
      schemas: {
        PaginatedStudyList: {
          type: 'object',
          required: ['count', 'results'],
          properties: {
            count: { type: 'integer', example: 123 },
            next: link(4),
            previous: link(2),
            results: { type: 'array', items: ref('Study') },
          },
        },
        PatchedStudy: { type: 'object', properties },
        Progress: toProgress(),
        Study: {
          type: 'object',
          properties,
          required: [...readOnly, 'projectId'].map(toSnake),
        },
      },
      securitySchemes: { jwtAuth: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' } },
    },
  });
}

const texts = {
  min: 'Ensure this value is greater than or equal to 0.',
  required: 'This field is required.',
};
const accepted = without(createFields, ['createdAt']);

export const django = {
  name: 'Django REST',
  documentPath: '/api/schema/',
  document,
  base: '',
  path: '/api/studies/',
  item: '([^/]+)/',
  toName: toSnake,
  parameters: { page: 'page', size: 'page_size', project: 'project_id' },
  projects: 'one',
  refusesProjects: [400, { project_id: ['Enter a valid UUID.'] }],
  answersNoPage: true,
  numbers: ({ total }) => ({ total }),
  creates: accepted,
  edits: accepted,
  required: ['projectId'],
  created: 201,
  reason: { field: 'interviewCount', message: texts.min },
  refusesPage: [404, { detail: 'Invalid page.' }],
  toAnswer: (study) => study,
  toItem: (study) => study,
  toPage: (results, { page, total, pages }) => ({
    count: total,
    next: page < pages ? `http://api.internal/api/studies/?page=${page + 1}` : null,
    previous: page > 1 ? `http://api.internal/api/studies/?page=${page - 1}` : null,
    results,
  }),
  invalid: (field, rule) => [400, { [field]: [texts[rule]] }],
  notFound: () => [404, { detail: 'No Study matches the given query.' }],
  unauthorized: (given) => {
    const detail = given
      ? 'Given token not valid for any token type'
      : 'Authentication credentials were not provided.';
    return [401, { detail }, { 'www-authenticate': 'Bearer realm="api"' }];
  },
  noRoute: () => [404, '<!doctype html><html><body><h1>Not Found</h1></body></html>'],
};
