import * as z from 'zod';
import {
  createStudySchema,
  editStudySchema,
  studyPageSchema,
  studySchema,
  uuid,
} from './schema.js';

/** Fields of a study that the document, or for the id the reference, marks as required. */
const lists = ['audiences', 'audiencesObj', 'problems', 'problemsObj', 'files'];
const required = ['id', 'projectId', ...lists, 'planId', 'interviews', 'summaries'];

/** Examples let a mock server answer with the id that the path has in the examples of a request. */
const exampleId = uuid.meta({ examples: ['5b1f0c9e-2d64-4c1a-9f1e-7a3b8c2d4e50'] });
const examplePage = studyPageSchema.extend({
  total: z.int().meta({ examples: [1] }),
  page: z.int().meta({ examples: [1] }),
  size: z.int().meta({ examples: [50] }),
  pages: z.int().meta({ examples: [1] }),
});

const MAX_PAGE_SIZE = 100;

/** Returns the OpenAPI 3.1 document of the emulator: the Study API that study-gateway assumes without a contract. */
export function toOpenApi(): object {
  const study = { $ref: '#/components/schemas/Study' };
  const studyPath = {
    parameters: [{ name: 'study_id', in: 'path', required: true, schema: toSchema(exampleId) }],
    get: { ...toHead('study'), ...toAnswers(study) },
    patch: { ...toHead('editStudy'), ...toBody('EditStudy'), ...toAnswers(study) },
  };
  const studiesPath = {
    get: {
      ...toHead('studies'),
      parameters: [
        toParameter('page', z.int().min(1).default(1)),
        toParameter('size', z.int().min(1).max(MAX_PAGE_SIZE).default(50)),
        { ...toParameter('projectId', z.array(uuid)), style: 'form', explode: false },
      ],
      ...toAnswers({ $ref: '#/components/schemas/StudyPage' }),
    },
    post: { ...toHead('createStudy'), ...toBody('CreateStudy'), ...toAnswers(study) },
  };
  const { properties } = Object(toSchema(examplePage));
  return {
    openapi: '3.1.0',
    info: {
      title: 'Study API',
      version: '0.3.0',
      description: 'What study-gateway assumes of a Study API. Unknown fields are ignored.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: 'http://127.0.0.1:4010' }],
    paths: { '/studies': studiesPath, '/studies/{study_id}': studyPath },
    security: [{ bearer: [] }],
    components: {
      schemas: {
        Study: { ...toSchema(studySchema.extend({ id: exampleId })), required },
        // Inferred, so none but the studies is required.
        StudyPage: {
          type: 'object',
          properties: { ...properties, items: { type: 'array', items: study } },
          required: ['items'],
        },
        CreateStudy: toSchema(createStudySchema),
        EditStudy: toSchema(editStudySchema),
      },
      securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } },
    },
  };
}

function toHead(operationId: string): object {
  return { operationId, summary: `The GraphQL field ${operationId}.` };
}

function toParameter(name: string, schema: z.ZodType): object {
  return { name, in: 'query', schema: toSchema(schema) };
}

function toBody(name: string): object {
  const schema = { $ref: `#/components/schemas/${name}` };
  return { requestBody: { required: true, content: { 'application/json': { schema } } } };
}

function toAnswers(schema: object): object {
  return {
    responses: {
      200: { description: 'Successful Response', content: { 'application/json': { schema } } },
      '4XX': { description: 'Refusal' },
    },
  };
}

/** Returns the JSON Schema of what zod accepts, without the rules of the emulator that the Study API is not known to have. */
function toSchema(schema: z.ZodType): object {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, {
    io: 'input',
    override({ jsonSchema }) {
      delete jsonSchema.additionalProperties;
      delete jsonSchema.pattern;
      delete jsonSchema.enum;
      if (Number(jsonSchema.maximum) > MAX_PAGE_SIZE) delete jsonSchema.maximum;
      if (Number(jsonSchema.minimum) < 0) delete jsonSchema.minimum;
    },
  });
  return rest;
}
