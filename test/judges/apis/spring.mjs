// Spring Boot with springdoc: context path in the generated server, `*/*` for answers, a `Pageable` as one parameter with
// `$ref`, nothing printed for null, pages from 0, the error body of Spring Boot with binding errors.
import { answered, createFields, createPrint, editFields, toPaths, toProgress } from './server.mjs';

const ref = (name) => ({ $ref: `#/components/schemas/${name}` });
const uuid = { type: 'string', format: 'uuid' };
const int32 = { type: 'integer', format: 'int32' };
const map = { type: 'object', additionalProperties: { type: 'object' } };
const own = {
  objects: { type: 'array', items: map },
  object: map,
  integer: { ...int32, minimum: 0 },
  progress: ref('Progress'),
};
const print = createPrint(own, { nullable: (schema) => schema });
const toTyped = (types) => ({
  type: 'object',
  properties: Object.fromEntries(
    Object.entries(types).map(([name, type]) => {
      if (type === 'int32' || type === 'int64') return [name, { type: 'integer', format: type }];
      return [name, typeof type === 'string' ? { type } : type];
    }),
  ),
});
const response = (name, status = 200) => ({
  [status]: {
    description: status === 201 ? 'Created' : 'OK',
    content: { '*/*': { schema: ref(name) } },
  },
});
const body = (name) => ({ content: { 'application/json': { schema: ref(name) } }, required: true });

const document = (origin) =>
  JSON.stringify({
    openapi: '3.0.1',
    info: { title: 'OpenAPI definition', version: 'v0' },
    servers: [{ url: `${origin}/study-service`, description: 'Generated server url' }],
    security: [{ bearerAuth: [] }],
    paths: toPaths({
      path: '/studies',
      one: '/studies/{studyId}',
      id: { name: 'studyId', in: 'path', required: true, schema: uuid },
      query: [
        { name: 'projectId', in: 'query', required: false, schema: { type: 'array', items: uuid } },
        { name: 'pageable', in: 'query', required: true, schema: ref('Pageable') },
      ],
      page: response('PageStudyResponse'),
      create: body('CreateStudyRequest'),
      created: response('StudyResponse', 201),
      edit: body('UpdateStudyRequest'),
      study: response('StudyResponse'),
      common: { tags: ['study-controller'] },
    }),
    components: {
      schemas: {
        Progress: toProgress(int32),
        CreateStudyRequest: print(createFields, ['projectId']),
        UpdateStudyRequest: print(editFields),
        StudyResponse: print(answered),
        Pageable: {
          type: 'object',
          properties: {
            page: { ...int32, minimum: 0 },
            size: { ...int32, minimum: 1 },
            sort: { type: 'array', items: { type: 'string' } },
          },
        },
        SortObject: toTyped({ empty: 'boolean', sorted: 'boolean', unsorted: 'boolean' }),
        PageableObject: toTyped({
          offset: 'int64',
          sort: ref('SortObject'),
          paged: 'boolean',
          unpaged: 'boolean',
          pageNumber: 'int32',
          pageSize: 'int32',
        }),
        PageStudyResponse: toTyped({
          totalPages: 'int32',
          totalElements: 'int64',
          first: 'boolean',
          last: 'boolean',
          size: 'int32',
          content: { type: 'array', items: ref('StudyResponse') },
          number: 'int32',
          sort: ref('SortObject'),
          numberOfElements: 'int32',
          pageable: ref('PageableObject'),
          empty: 'boolean',
        }),
      },
      securitySchemes: { bearerAuth: { type: 'http', scheme: 'bearer' } },
    },
  });

const texts = { min: 'must be greater than or equal to 0', required: 'must not be null' };
const codes = { min: 'Min', required: 'NotNull' };
const timestamp = '2026-03-01T09:30:00.000+00:00';

export const spring = {
  name: 'Spring',
  documentPath: '/study-service/v3/api-docs',
  document,
  base: '/study-service',
  path: '/studies',
  item: '/([^/]+)',
  parameters: { page: 'page', size: 'size', project: 'projectId' },
  firstPage: 0,
  numbers: ({ page, size, total, pages }) => ({ page, size, total, pages }),
  creates: createFields,
  edits: editFields,
  required: ['projectId'],
  created: 201,
  reason: { field: 'interviewCount', message: texts.min },
  toAnswer: (study) => study,
  toItem: (study) => study,
  toPage: (content, { page, size, total, pages }) => ({
    content,
    pageable: { pageNumber: page, pageSize: size, offset: page * size },
    last: page >= pages - 1,
    totalPages: pages,
    totalElements: total,
    size,
    number: page,
    numberOfElements: content.length,
  }),
  invalid: (field, rule) => {
    const objectName = 'studyRequest';
    const code = codes[rule];
    const message = `Validation failed for object='${objectName}'. Error count: 1`;
    const binding = {
      codes: [`${code}.${objectName}.${field}`, code],
      defaultMessage: texts[rule],
    };
    const errors = [{ ...binding, objectName, field, bindingFailure: false, code }];
    return [
      400,
      {
        timestamp,
        status: 400,
        error: 'Bad Request',
        message,
        errors,
        path: '/study-service/studies',
      },
    ];
  },
  notFound: (_, missing) => {
    const path = `/study-service/studies/${missing}`;
    return [
      404,
      { timestamp, status: 404, error: 'Not Found', message: 'No study has this id', path },
    ];
  },
  unauthorized: () => [401, undefined, { 'www-authenticate': 'Bearer' }],
  noRoute: () => [
    404,
    '<!doctype html><html lang="en"><head><title>HTTP Status 404 – Not Found</title></head></html>',
  ],
};
