// Express with a hand-written document in YAML, of a service that has fewer fields: no answer has audiencesObj,
// problemsObj, files, interviews, summaries, planId, solution or researchGoal; requests lack fields too; one study cannot be read.
import { stringify } from 'yaml';
import { answered, createFields, createPrint, editFields, without } from './server.mjs';

const gone = [
  'audiencesObj',
  'problemsObj',
  'files',
  'interviews',
  'summaries',
  'planId',
  'solution',
  'researchGoal',
];
/** `interviews` is accepted, and never answered; `createdAt` and `bookmarked` are answered, and not accepted. */
const refused = ['files', 'knowledgeGraphs', 'createdAt', 'bookmarked'];
const shows = without(answered, gone);
const creates = without(createFields, refused);
const edits = without(editFields, refused);

const print = createPrint();
const content = (schema) => ({ content: { 'application/json': { schema } } });
const study = { description: 'The study', ...content({ $ref: '#/components/schemas/Study' }) };
const number = (name) => ({ name, in: 'query', schema: { type: 'integer' } });

const document = (origin) =>
  stringify({
    openapi: '3.0.3',
    info: { title: 'Studies', version: '2' },
    servers: [{ url: origin }],
    paths: {
      '/v2/studies': {
        get: {
          parameters: [
            number('page'),
            number('page_size'),
            { name: 'projectId', in: 'query', schema: { type: 'string' } },
          ],
          responses: {
            200: {
              description: 'Studies',
              ...content({
                type: 'object',
                properties: {
                  studies: { type: 'array', items: { $ref: '#/components/schemas/Study' } },
                  page: { type: 'integer' },
                  pageSize: { type: 'integer' },
                  total: { type: 'integer' },
                },
              }),
            },
          },
        },
        post: {
          requestBody: content({ $ref: '#/components/schemas/StudyInput' }),
          responses: { 201: study },
        },
      },
      '/v2/studies/{id}': {
        parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'string' } }],
        patch: {
          description: 'Any fields of a study',
          requestBody: content({ $ref: '#/components/schemas/StudyChanges' }),
          responses: { 200: study },
        },
      },
    },
    components: {
      schemas: {
        Study: print(shows),
        StudyInput: print(creates, ['projectId']),
        StudyChanges: print(edits),
      },
    },
  });

const texts = {
  min: 'must be at least 0',
  required: 'is required',
  unknown: 'is not a field of a study',
};

export const expressLean = {
  name: 'Express, fewer fields',
  documentPath: '/openapi.yaml',
  document,
  base: '',
  path: '/v2/studies',
  item: '/([^/]+)',
  reads: false,
  parameters: { page: 'page', size: 'page_size', project: 'projectId' },
  numbers: ({ page, size, total }) => ({ page, size, total }),
  answered: shows,
  creates,
  edits,
  required: ['projectId'],
  refusesUnknown: true,
  created: 201,
  reason: { field: 'interviewCount', message: texts.min },
  toAnswer: (fields) => fields,
  toItem: (fields) => fields,
  toPage: (studies, { page, size, total }) => ({ studies, page, pageSize: size, total }),
  invalid: (field, rule) => [422, { errors: [{ field, message: texts[rule] }] }],
  notFound: () => [404, { error: 'No such study' }],
  unauthorized: () => [401, { error: 'Token required' }],
  noRoute: (method, path) => [
    404,
    `<!DOCTYPE html><html><body><pre>Cannot ${method} ${path}</pre></body></html>`,
  ],
};
