// JSON:API in requests, answers and lists, in the manner of django-rest-framework-json-api with drf-spectacular-jsonapi:
// an edit must repeat `type` and `id`, or it is a 409, as the specification says.
import {
  answered,
  createFields,
  createPrint,
  editFields,
  toPaths,
  toProgress,
  toTyped,
  without,
} from './server.mjs';

const ref = (name) => ({ $ref: `#/components/schemas/${name}` });
const uuid = { type: 'string', format: 'uuid' };
const print = createPrint({
  objects: { type: 'array', items: { type: 'object', additionalProperties: {} } },
  object: { type: 'object', additionalProperties: {} },
  integer: { type: 'integer', minimum: 0 },
  progress: { allOf: [ref('Progress')], nullable: true },
});
const type = {
  allOf: [ref('StudyTypeEnum')],
  description:
    'The type member describes resource objects that share common attributes and relationships.',
};
const toResource = (attributes, required) => ({
  type: 'object',
  required,
  additionalProperties: false,
  properties: { type, id: uuid, attributes },
});
const wrapped = (resource) => ({
  type: 'object',
  properties: { data: resource },
  required: ['data'],
});
const media = 'application/vnd.api+json';
const body = (name) => ({ content: { [media]: { schema: ref(name) } }, required: true });
const response = (name, status = 200) => ({
  [status]: { content: { [media]: { schema: ref(name) } }, description: '' },
});

function document() {
  const query = (name, schema) => ({ name, required: false, in: 'query', schema });
  const link = { type: 'string', nullable: true, format: 'uri' };
  return JSON.stringify({
    openapi: '3.0.3',
    info: { title: 'Studies', version: '1.0.0' },
    paths: toPaths({
      path: '/studies',
      one: '/studies/{id}',
      id: { in: 'path', name: 'id', schema: uuid, required: true },
      query: [
        query('page[number]', { type: 'integer' }),
        query('page[size]', { type: 'integer' }),
        query('filter[projectId]', { type: 'string', description: 'Comma-separated ids.' }),
      ],
      page: response('PaginatedStudyList'),
      create: body('StudyRequest'),
      created: response('StudyResponse', 201),
      edit: body('PatchedStudyRequest'),
      study: response('StudyResponse'),
      common: { tags: ['studies'], security: [{ bearerAuth: [] }] },
    }),
    components: {
      schemas: {
        Progress: toProgress(),
        StudyTypeEnum: { type: 'string', enum: ['studies'] },
        Study: toResource(print(without(answered, ['id'])), ['type', 'id']),
        StudyResponse: wrapped(ref('Study')),
        StudyRequest: wrapped({
          type: 'object',
          required: ['type'],
          additionalProperties: false,
          properties: { type, attributes: print(createFields, ['projectId']) },
        }),
        PatchedStudyRequest: wrapped(toResource(print(editFields), ['type', 'id'])),
        PaginatedStudyList: {
          type: 'object',
          required: ['data'],
          properties: {
            links: toTyped(link, 'first', 'last', 'next', 'prev'),
            data: { type: 'array', items: ref('Study') },
            meta: {
              type: 'object',
              properties: { pagination: toTyped({ type: 'integer' }, 'count', 'page', 'pages') },
            },
          },
        },
      },
      securitySchemes: { bearerAuth: { type: 'http', scheme: 'bearer' } },
    },
  });
}

const errors = (status, detail, code, pointer) => [
  status,
  { errors: [{ detail, status: String(status), ...(pointer && { source: { pointer } }), code }] },
];
const texts = {
  min: ['Ensure this value is greater than or equal to 0.', 'min_value'],
  required: ['This field is required.', 'required'],
};
const toResourceObject = ({ id: own, ...attributes }) => ({ type: 'studies', id: own, attributes });

export const jsonApi = {
  name: 'JSON:API',
  documentPath: '/schema.json',
  document,
  type: media,
  base: '',
  path: '/studies',
  item: '/([^/]+)',
  parameters: { page: 'page[number]', size: 'page[size]', project: 'filter[projectId]' },
  numbers: ({ page, total, pages }) => ({ page, total, pages }),
  creates: createFields,
  edits: editFields,
  required: ['projectId'],
  created: 201,
  reason: { field: 'interviewCount', message: texts.min[0] },
  toInput: ({ data }, edited) => {
    if (typeof data !== 'object' || data === null)
      return errors(400, 'Received document does not contain primary data', 'parse_error', '/data');
    if (data.type !== 'studies')
      return errors(
        409,
        `The resource object's type (${data.type}) is not the type that constitutes the collection represented by the endpoint (studies).`,
        'error',
        '/data',
      );
    if (edited === undefined && data.id !== undefined)
      return errors(403, 'Client-generated ids are not supported.', 'error', '/data/id');
    if (edited !== undefined && data.id !== edited)
      return errors(
        409,
        "The resource object's id does not match url's lookup id.",
        'error',
        '/data/id',
      );
    return data.attributes ?? {};
  },
  toAnswer: (study) => ({ data: toResourceObject(study) }),
  toItem: toResourceObject,
  toPage: (data, { page, total, pages }) => ({
    links: { first: '/studies?page[number]=1', last: null, next: null, prev: null },
    data,
    meta: { pagination: { page, pages, count: total } },
  }),
  invalid: (field, rule) => errors(400, ...texts[rule], `/data/attributes/${field}`),
  notFound: () => errors(404, 'No Study matches the given query.', 'not_found'),
  unauthorized: () =>
    errors(401, 'Authentication credentials were not provided.', 'not_authenticated'),
  noRoute: () => [404, '<!doctype html><html><body><h1>Not Found</h1></body></html>'],
};
