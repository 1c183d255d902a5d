import { z } from 'zod';
import { problemSchema } from './problem.js';
import {
  createStudySchema,
  editStudySchema,
  progressRequestSchema,
  progressSchema,
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
      summary: 'Stores studies: create one, edit one, read one.',
      description:
        'Made from the schemas of the emulator. What the documentation of the Study API leaves open ' +
        'is an assumption of the emulator; that all fields of the response are required is one.',
    },
    paths: {
      '/studies': {
        post: {
          operationId: 'createStudy',
          summary: 'Create study',
          requestBody: toBody('CreateStudy'),
          responses: { ...success, ...refusals('401', '403', '413', '422') },
        },
      },
      '/studies/{study_id}': {
        parameters: [studyId],
        get: {
          operationId: 'readStudy',
          summary: 'Read study',
          responses: { ...success, ...refusals('401', '403', '404', '422') },
        },
        patch: {
          operationId: 'editStudy',
          summary: 'Edit study',
          description: 'Fields that are left out stay as they are; null clears a nullable field.',
          requestBody: toBody('EditStudy'),
          responses: { ...success, ...refusals('401', '403', '404', '413', '422') },
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

const success = {
  '200': { description: 'Successful Response', content: toContent('Study') },
};

const reasons = {
  '401': { description: 'No token, or an unknown one', schema: 'Refusal' },
  '403': { description: 'Not enough permissions', schema: 'Refusal' },
  '404': { description: 'The token has no such study', schema: 'Refusal' },
  '413': { description: 'The body is larger than 1 MiB', schema: 'Refusal' },
  '422': { description: 'Validation Error', schema: 'ValidationError' },
};

function refusals(...statuses: (keyof typeof reasons)[]) {
  return Object.fromEntries(
    statuses.map((status) => {
      const { description, schema } = reasons[status];
      return [status, { description, content: toContent(schema) }];
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
