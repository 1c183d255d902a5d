// Express with swagger-jsdoc and express-validator, where each answer is 200: `{ok: true, data}` or `{ok: false, error}`,
// and an unknown study is `data: null`.
import { answered, createFields, createPrint, editFields, toPaths, toTyped } from './server.mjs';

const ref = (name) => ({ $ref: `#/components/schemas/${name}` });
const print = createPrint({ text: { type: 'string', example: 'draft' } });
const integer = { type: 'integer' };
const json = (schema) => ({ 'application/json': { schema } });
const envelope = (data, more) => ({
  type: 'object',
  properties: {
    ok: { type: 'boolean' },
    data,
    error: { type: 'string' },
    errors: { type: 'array', items: ref('ValidationError') },
    ...more,
  },
});
const response = (schema) => ({ 200: { description: 'Success', content: json(schema) } });
const pagination = toTyped(integer, 'page', 'limit', 'total', 'totalPages');

const document = () =>
  JSON.stringify({
    openapi: '3.0.0',
    info: { title: 'Study API', version: '1.0.0' },
    servers: [{ url: '/api/v2' }],
    components: {
      securitySchemes: { bearerAuth: { type: 'http', scheme: 'bearer' } },
      schemas: {
        Study: print(answered),
        StudyInput: print(createFields, ['projectId']),
        StudyPatch: print(editFields),
        ValidationError: toTyped({ type: 'string' }, 'path', 'msg'),
      },
    },
    security: [{ bearerAuth: [] }],
    paths: toPaths({
      path: '/studies',
      one: '/studies/{id}',
      id: { in: 'path', name: 'id', required: true, schema: { type: 'string' } },
      query: [
        { in: 'query', name: 'page', schema: { ...integer, default: 1 } },
        { in: 'query', name: 'limit', schema: { ...integer, default: 10 } },
        { in: 'query', name: 'project', schema: { type: 'string' } },
      ],
      page: response(envelope({ type: 'array', items: ref('Study') }, { pagination })),
      create: { required: true, content: json(ref('StudyInput')) },
      edit: { required: true, content: json(ref('StudyPatch')) },
      study: response(envelope(ref('Study'))),
    }),
    tags: [],
  });

const texts = { min: 'must be a non-negative integer', required: 'Invalid value' };

export const expressOk = {
  name: 'Express, ok: false',
  documentPath: '/api-docs.json',
  document,
  base: '/api/v2',
  path: '/studies',
  item: '/([^/]+)',
  parameters: { page: 'page', size: 'limit', project: 'project' },
  numbers: ({ page, size, total, pages }) => ({ page, size, total, pages }),
  creates: createFields,
  edits: editFields,
  required: ['projectId'],
  reason: { field: 'interviewCount', message: texts.min },
  toAnswer: (data) => ({ ok: true, data }),
  toItem: (study) => study,
  toPage: (data, { page, size, total, pages }) => {
    return { ok: true, data, pagination: { page, limit: size, total, totalPages: pages } };
  },
  invalid: (path, rule) => {
    const errors = [{ type: 'field', msg: texts[rule], path, location: 'body' }];
    return [200, { ok: false, error: 'Validation failed', errors }];
  },
  notFound: (verb) => {
    return [
      200,
      verb === 'read' ? { ok: true, data: null } : { ok: false, error: 'Study not found' },
    ];
  },
  unauthorized: () => [401, { ok: false, error: 'Unauthorized' }],
  noRoute: (method, path) => [
    404,
    `<!DOCTYPE html><html><body><pre>Cannot ${method} ${path}</pre></body></html>`,
  ],
};
