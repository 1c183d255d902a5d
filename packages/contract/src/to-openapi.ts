import { toApiName, type Contract } from './contract.js';
import {
  answerNames,
  listArguments,
  pageNumbers,
  progressParts,
  progressPrefix,
  requestNames,
  studyFields,
  type FieldName,
  type Kind,
  type ListArgument,
  type WriteName,
} from './study-fields.js';

type Json = Readonly<Record<string, unknown>>;

const text = { type: ['string', 'null'] };
const integer = { type: ['integer', 'null'], format: 'int32' };
const exampleId = '5b1f0c9e-2d64-4c1a-9f1e-7a3b8c2d4e50';

/** Schemas of the kinds, which may be `null`. `strategy` is free text: no source says that only six values are accepted. */
const kinds: Readonly<Record<Exclude<Kind, 'progress'>, Json>> = {
  uuid: { type: ['string', 'null'], format: 'uuid' },
  'date-time': { type: ['string', 'null'], format: 'date-time' },
  text,
  boolean: { type: ['boolean', 'null'] },
  integer,
  texts: { type: ['array', 'null'], items: { type: 'string' } },
  objects: { type: ['array', 'null'], items: { type: 'object' } },
  object: { type: ['object', 'null'] },
};

/** Returns the OpenAPI 3.1 document of an API that keeps a contract: what the gateway sends, and what it can read. */
export function toOpenApi(contract: Contract): Json {
  const { study, studies, createStudy, editStudy } = contract.operations;
  const paths: Record<string, Record<string, unknown>> = {};
  const add = (form: { readonly path: string } | false, method: string, operation: Json): void => {
    if (form === false) return;
    const parameters = toPathParameters(form.path);
    const item = (paths[form.path] ??= parameters ? { parameters } : {});
    item[method] = operation;
  };
  add(studies, 'get', toList(contract));
  add(createStudy, 'post', toWrite(contract, 'createStudy', 'Create study'));
  add(study, 'get', {
    operationId: 'study',
    summary: 'Read study',
    responses: toResponses(contract, toEnvelope(contract)),
  });
  add(editStudy, 'patch', toWrite(contract, 'editStudy', 'Edit study'));
  return {
    openapi: '3.1.0',
    info: {
      title: 'Study API',
      version: '0.2.0',
      summary: 'What study-gateway assumes of a Study API.',
      description: 'Fields that are not required may be missing. Unknown fields are ignored.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: 'http://127.0.0.1:4010' }],
    paths,
    security: [{ bearer: [] }],
    components: {
      schemas: {
        Study: toStudy(contract),
        ...(createStudy ? { CreateStudy: toInput(contract, 'createStudy') } : {}),
        ...(editStudy ? { EditStudy: toInput(contract, 'editStudy') } : {}),
      },
      securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } },
    },
  };
}

function toReference(schema: string): Json {
  return { $ref: `#/components/schemas/${schema}` };
}

function toPathParameters(path: string): Json[] | undefined {
  const name = /\{(\w+)\}/.exec(path)?.[1];
  const schema = { type: 'string', format: 'uuid', examples: [exampleId] };
  return name === undefined ? undefined : [{ name, in: 'path', required: true, schema }];
}

function toWrite(contract: Contract, operationId: WriteName, summary: string): Json {
  const schema = toReference(operationId === 'createStudy' ? 'CreateStudy' : 'EditStudy');
  const { keys } = contract;
  const key = { in: 'header', schema: { type: 'string', minLength: 1, maxLength: 255 } };
  return {
    operationId,
    summary,
    ...(keys ? { parameters: [{ name: keys.header, ...key }] } : {}),
    requestBody: { required: true, content: { 'application/json': { schema } } },
    responses: toResponses(contract, toEnvelope(contract)),
  };
}

function toResponses({ verdicts }: Contract, schema: Json): Json {
  const applied = verdicts.applied ?? [200];
  const rejected = verdicts.rejected ?? ['4XX'];
  const success = { description: 'Success', content: { 'application/json': { schema } } };
  return {
    ...Object.fromEntries(applied.map((status) => [status, success])),
    ...Object.fromEntries(rejected.map((status) => [status, { description: 'Refusal' }])),
  };
}

/** Returns the schema of the answer to one study. */
function toEnvelope({ answer, verdicts }: Contract): Json {
  const schema = place(answer.at ?? '', toReference('Study'));
  const [success] = Object.entries(verdicts.success ?? {});
  return success ? { allOf: [schema, place(success[0], toConstant(success[1]))] } : schema;
}

function toConstant(value: unknown): Json {
  return value === null ? { type: 'null' } : { type: typeof value, const: value };
}

/** Returns the schema of an object that has a value of `schema` at a JSON Pointer. */
function place(pointer: string, schema: Json): Json {
  const steps = pointer.split('/').slice(1);
  return steps.reduceRight<Json>((inner, step) => {
    const name = step.replaceAll('~1', '/').replaceAll('~0', '~');
    return { type: 'object', properties: { [name]: inner }, required: [name] };
  }, schema);
}

function toStudy({ answer }: Contract): Json {
  const isSent = (field: FieldName): boolean => !(answer.absent as FieldName[]).includes(field);
  const fields = answerNames.filter(isSent);
  const properties = fields.map((field) => {
    const { answer: presence } = studyFields[field];
    const schema = toSchema(answer, field);
    const value = presence === 'value' ? { ...schema, type: toOneType(schema) } : schema;
    return [toApiName(answer, field), field === 'id' ? { ...value, examples: [exampleId] } : value];
  });
  const required = fields.filter((field) => studyFields[field].answer !== 'optional');
  return {
    type: 'object',
    properties: Object.fromEntries(properties) as Json,
    required: required.map((field) => toApiName(answer, field)),
  };
}

function toOneType({ type }: Json): unknown {
  return Array.isArray(type) ? type[0] : type;
}

function toSchema(names: Parameters<typeof toApiName>[0], field: FieldName): Json {
  const { kind } = studyFields[field];
  if (kind !== 'progress') return kinds[kind];
  const parts = progressParts.map((part) => [toApiName(names, progressPrefix + part), integer]);
  return { type: ['object', 'null'], properties: Object.fromEntries(parts) as Json };
}

function toInput({ request }: Contract, write: WriteName): Json {
  const isTaken = (field: FieldName): boolean => !request.absent[write].includes(field as never);
  const fields = requestNames[write].filter(isTaken);
  const required = request.required[write].map((field) => toApiName(request, field));
  const properties = fields.map((field) => [toApiName(request, field), toSchema(request, field)]);
  return {
    type: 'object',
    properties: Object.fromEntries(properties) as Json,
    ...(required.length > 0 ? { required } : {}),
  };
}

function toList(contract: Contract): Json {
  const { studies } = contract.operations;
  if (studies === false) return {};
  const { items, numbers, parameters, absent, projects, firstPage } = studies;
  const uuid = { type: 'string', format: 'uuid' };
  const schemas: Readonly<Record<ListArgument, Json>> = {
    page: { type: 'integer', minimum: firstPage, default: firstPage },
    size: { type: 'integer', minimum: 1, maximum: 100, default: 50 },
    projectId: projects === 'one' ? uuid : { type: 'array', items: uuid },
  };
  const taken = listArguments.filter((argument) => !absent.includes(argument));
  const beside = items.slice(0, items.lastIndexOf('/') + 1);
  const examples = { page: firstPage, size: 50, total: 1, pages: 1 };
  const list = { type: 'array', items: toReference('Study'), maxItems: 50 };
  const answers = [
    place(items, list),
    ...pageNumbers.map((number) =>
      place(numbers[number] ?? beside + number, { ...integer, examples: [examples[number]] }),
    ),
  ];
  return {
    operationId: 'studies',
    summary: 'List studies',
    parameters: taken.map((argument) => ({
      name: parameters[argument] ?? argument,
      in: 'query',
      ...(argument === 'projectId' ? { style: 'form', explode: projects === 'repeated' } : {}),
      schema: schemas[argument],
    })),
    responses: toResponses(contract, { allOf: answers }),
  };
}
