import { z } from 'zod';
import { problemSchema } from './answers.js';
import {
  createStudySchema,
  editStudySchema,
  progressRequestSchema,
  progressSchema,
  studyPageSchema,
  studySchema,
} from './study.schema.js';

const schemaPath = '#/components/schemas/';

/** Creates the emulator's OpenAPI 3.1 description from the zod schemas of its requests and responses. */
export function createOpenApi() {
  return {
    openapi: '3.1.0',
    info: {
      title: 'Study API',
      version: '0.1.0',
      summary: 'Stores studies: create one, edit one, read one, list them.',
      description:
        'Generated from the schemas of the emulator. The emulator makes assumptions about what the documentation of ' +
        'the Study API leaves open, for example that all fields of a response are required.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [
      { url: 'http://127.0.0.1:4010', description: 'The emulator that `npm start` starts.' },
    ],
    paths: {
      '/studies': {
        get: {
          operationId: 'listStudies',
          summary: 'List studies',
          description: 'Returns one page of the token’s studies, newest first.',
          parameters: listParameters,
          responses: toResponses('StudyPage'),
        },
        post: {
          operationId: 'createStudy',
          summary: 'Create study',
          requestBody: toBody('CreateStudy'),
          responses: toResponses('Study', tooLarge),
        },
      },
      '/studies/{study_id}': {
        parameters: [studyId],
        get: {
          operationId: 'readStudy',
          summary: 'Read study',
          responses: toResponses('Study'),
        },
        patch: {
          operationId: 'editStudy',
          summary: 'Edit study',
          description: 'Omitted fields stay unchanged; null clears a nullable field.',
          requestBody: toBody('EditStudy'),
          responses: toResponses('Study', tooLarge),
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
            'An API token. A token sees only its own studies; the demo tokens share their studies.',
        },
      },
    },
  };
}

const studyId = {
  name: 'study_id',
  in: 'path',
  required: true,
  description: 'Id of a study, in upper or lower case.',
  schema: { type: 'string', format: 'uuid' },
};

const listParameters = [
  {
    name: 'page',
    in: 'query',
    description: 'Page number.',
    schema: { type: 'integer', minimum: 1, default: 1 },
  },
  {
    name: 'size',
    in: 'query',
    description: 'Maximum number of studies on the page.',
    schema: { type: 'integer', minimum: 1, maximum: 100, default: 50 },
  },
  {
    name: 'projectId',
    in: 'query',
    description: 'Comma-separated ids of projects: lists only studies of these projects.',
    style: 'form',
    explode: false,
    schema: { type: 'array', minItems: 1, items: { type: 'string', format: 'uuid' } },
  },
];

/** Error responses of every operation: with the tokens of the scenarios each operation can return each of these. */
const reasons = {
  '401': 'No token, or an unknown one',
  '403': 'Not enough permissions',
  '404': 'The token has no such study',
  '409': 'Somebody else has changed the study',
  '422': 'Validation Error',
  '429': 'Too many requests',
  '500': 'Internal Server Error',
  '503': 'Service Unavailable',
};

/** Additional error response of operations with a request body. */
const tooLarge = { '413': 'The body is larger than 1 MiB' };

const retryAfter = {
  'Retry-After': { description: 'Seconds to wait.', schema: { type: 'integer', minimum: 0 } },
};

/** Returns the responses of an operation: its success, and the error responses. */
function toResponses(schema: string, more: Partial<typeof tooLarge> = {}) {
  const refusals = Object.entries({ ...reasons, ...more }).map(([status, description]) => {
    const headers = status === '429' || status === '503' ? { headers: retryAfter } : {};
    const content = toContent(status === '422' ? 'ValidationError' : 'Refusal');
    return [status, { description, ...headers, content }];
  });
  const success = { description: 'Successful Response', content: toContent(schema) };
  return { '200': success, ...Object.fromEntries(refusals) };
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
      // Redundant: OpenAPI 3.1 defines the dialect for the whole document, and the key serves as id.
      delete schema.$schema;
      delete schema.$id;
      return [id, schema];
    }),
  );
}
