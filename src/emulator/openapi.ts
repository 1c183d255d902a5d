import { z } from 'zod';
import { problemSchema } from './problem.js';
import {
  createStudySchema,
  editStudySchema,
  progressRequestSchema,
  progressSchema,
  studyPageSchema,
  studySchema,
} from './study.schema.js';

const schemaPath = '#/components/schemas/';

/** The OpenAPI 3.1 description of the emulator, made from the schemas that it validates with. */
export function createOpenApi() {
  return {
    openapi: '3.1.0',
    info: {
      title: 'Study API',
      version: '0.1.0',
      summary: 'Stores studies: create one, edit one, read one, list them.',
      description:
        'Made from the schemas of the emulator. What the documentation of the Study API leaves open ' +
        'is an assumption of the emulator; that all fields of the response are required is one.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [
      { url: 'http://127.0.0.1:4010', description: 'The emulator, where `npm start` has it.' },
    ],
    paths: {
      '/studies': {
        get: {
          operationId: 'listStudies',
          summary: 'List studies',
          description: 'One page of the studies of the token, the newest first.',
          parameters: listParameters,
          responses: { ...success('StudyPage'), ...refusals() },
        },
        post: {
          operationId: 'createStudy',
          summary: 'Create study',
          requestBody: toBody('CreateStudy'),
          responses: { ...success('Study'), ...refusals(tooLarge) },
        },
      },
      '/studies/{study_id}': {
        parameters: [studyId],
        get: {
          operationId: 'readStudy',
          summary: 'Read study',
          responses: { ...success('Study'), ...refusals() },
        },
        patch: {
          operationId: 'editStudy',
          summary: 'Edit study',
          description: 'Fields that are left out stay as they are; null clears a nullable field.',
          requestBody: toBody('EditStudy'),
          responses: { ...success('Study'), ...refusals(tooLarge) },
        },
      },
    },
    security: [{ bearer: [] }],
    components: {
      schemas: createSchemas(),
      securitySchemes: {
        bearer: {
          type: 'http',
          scheme: 'bearer',
          description:
            'An API token. A study is known only to whom it belongs: the demo tokens share theirs.',
        },
      },
    },
  };
}

const studyId = {
  name: 'study_id',
  in: 'path',
  required: true,
  description: 'The id of a study, in any case.',
  schema: { type: 'string', format: 'uuid' },
};

const listParameters = [
  {
    name: 'page',
    in: 'query',
    description: 'The number of the page.',
    schema: { type: 'integer', minimum: 1, default: 1 },
  },
  {
    name: 'size',
    in: 'query',
    description: 'Most studies of the page.',
    schema: { type: 'integer', minimum: 1, maximum: 100, default: 50 },
  },
  {
    name: 'projectId',
    in: 'query',
    description: 'Only studies of these projects: comma-separated ids.',
    style: 'form',
    explode: false,
    schema: { type: 'array', minItems: 1, items: { type: 'string', format: 'uuid' } },
  },
];

function success(schema: string) {
  return { '200': { description: 'Successful Response', content: toContent(schema) } };
}

/** Refusals of every operation: with the demo tokens any of them can be had anywhere. */
const reasons = {
  '401': { description: 'No token, or an unknown one', schema: 'Refusal' },
  '403': { description: 'Not enough permissions', schema: 'Refusal' },
  '404': { description: 'The token has no such study', schema: 'Refusal' },
  '409': { description: 'Somebody else has changed the study', schema: 'Refusal' },
  '422': { description: 'Validation Error', schema: 'ValidationError' },
  '429': { description: 'Too many requests', schema: 'Refusal' },
  '500': { description: 'Internal Server Error', schema: 'Refusal' },
  '503': { description: 'Service Unavailable', schema: 'Refusal' },
};

/** A refusal of operations with a body. */
const tooLarge = { '413': { description: 'The body is larger than 1 MiB', schema: 'Refusal' } };

const retryAfter = {
  'Retry-After': { description: 'Seconds to wait.', schema: { type: 'integer', minimum: 0 } },
};

function refusals(more: Partial<typeof tooLarge> = {}) {
  return Object.fromEntries(
    Object.entries({ ...reasons, ...more }).map(([status, { description, schema }]) => {
      const headers = status === '429' || status === '503' ? { headers: retryAfter } : {};
      return [status, { description, ...headers, content: toContent(schema) }];
    }),
  );
}

function toBody(schema: string) {
  return { required: true, content: toContent(schema) };
}

function toContent(schema: string) {
  return { 'application/json': { schema: { $ref: schemaPath + schema } } };
}

function createSchemas() {
  const registry = z.registry<{ id: string }>();
  registry.add(studySchema, { id: 'Study' });
  registry.add(studyPageSchema, { id: 'StudyPage' });
  registry.add(createStudySchema, { id: 'CreateStudy' });
  registry.add(editStudySchema, { id: 'EditStudy' });
  registry.add(progressSchema, { id: 'Progress' });
  registry.add(progressRequestSchema, { id: 'ProgressRequest' });
  registry.add(z.strictObject({ detail: z.string() }), { id: 'Refusal' });
  registry.add(z.strictObject({ detail: z.array(problemSchema) }), { id: 'ValidationError' });
  registry.add(problemSchema, { id: 'Problem' });

  const { schemas } = z.toJSONSchema(registry, { uri: (id) => schemaPath + id });
  return Object.fromEntries(
    Object.entries(schemas).map(([id, schema]) => {
      // OpenAPI names the dialect once for the document, and the key is the id.
      delete schema.$schema;
      delete schema.$id;
      return [id, schema];
    }),
  );
}
