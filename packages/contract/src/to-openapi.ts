import { toApiName, type Contract, type Names } from './contract.js';
import {
  answerNames,
  listArguments,
  pageNumbers,
  progressParts,
  progressPrefix,
  requestNames,
  studyFields,
  type FieldName,
  type WriteName,
} from './study-fields.js';
import { fromPointer } from './translate.js';

type Json = Readonly<Record<string, unknown>>;

const uuid = { type: 'string', format: 'uuid' };
const integer = { type: 'integer', format: 'int32' };
const exampleId = '5b1f0c9e-2d64-4c1a-9f1e-7a3b8c2d4e50';

/** Schemas of the kinds of fields. `strategy` is text: no source says that a request takes six values only. */
const kinds: Readonly<Record<string, Json>> = {
  uuid,
  'date-time': { type: 'string', format: 'date-time' },
  text: { type: 'string' },
  boolean: { type: 'boolean' },
  integer,
  texts: { type: 'array', items: { type: 'string' } },
  objects: { type: 'array', items: { type: 'object' } },
  object: { type: 'object' },
};

/** Returns the OpenAPI 3.1 document of an API that keeps a contract: what the gateway sends, and what it can read. */
export function toOpenApi(contract: Contract): Json {
  const { study, studies, createStudy, editStudy } = contract.operations;
  const paths: Record<string, Record<string, unknown>> = {};
  const add = (form: { readonly path: string } | false, method: string, operation: Json): void => {
    if (form) (paths[form.path] ??= toPathItem(form.path))[method] = operation;
  };
  add(studies, 'get', toList(contract));
  add(createStudy, 'post', toWrite(contract, 'createStudy'));
  add(study, 'get', { ...toHead('study'), responses: toResponses(contract, toEnvelope(contract)) });
  add(editStudy, 'patch', toWrite(contract, 'editStudy'));
  return {
    openapi: '3.1.0',
    info: {
      title: 'Study API',
      version: '0.2.0',
      description: 'What study-gateway assumes of a Study API. Unknown fields are ignored.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: 'http://127.0.0.1:4010' }],
    paths,
    security: [{ bearer: [] }],
    components: {
      schemas: { Study: toStudy(contract) },
      securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } },
    },
  };
}

const reference = { $ref: '#/components/schemas/Study' };

function toHead(operationId: string): Json {
  return { operationId, summary: `The GraphQL field ${operationId}.` };
}

function toPathItem(path: string): Record<string, unknown> {
  const name = /\{(\w+)\}/.exec(path)?.[1];
  const schema = { ...uuid, examples: [exampleId] };
  return name === undefined ? {} : { parameters: [{ name, in: 'path', required: true, schema }] };
}

function toWrite(contract: Contract, write: WriteName): Json {
  const schema = toInput(contract, write);
  const { keys } = contract;
  return {
    ...toHead(write),
    ...(keys ? { parameters: [{ name: keys.header, in: 'header', schema: kinds['text'] }] } : {}),
    requestBody: { required: true, content: { 'application/json': { schema } } },
    responses: toResponses(contract, toEnvelope(contract)),
  };
}

function toResponses({ verdicts }: Contract, schema: Json): Json {
  const { applied = [200], rejected = ['4XX'] } = verdicts;
  const success = { description: 'Success', content: { 'application/json': { schema } } };
  return Object.fromEntries<unknown>([
    ...applied.map((status) => [status, success] as const),
    ...rejected.map((status) => [status, { description: 'Refusal' }] as const),
  ]);
}

/** Returns the schema of the answer to one study. */
function toEnvelope({ answer, verdicts }: Contract): Json {
  const schema = placeAt(answer.at ?? '', reference);
  const flags = Object.entries(verdicts.success ?? {}).map(([pointer, yes]) =>
    placeAt(pointer, { type: yes === null ? 'null' : typeof yes, const: yes }),
  );
  return flags.length > 0 ? { allOf: [schema, ...flags] } : schema;
}

/** Returns the schema of an object that has a value of `schema` at a JSON Pointer. */
function placeAt(pointer: string, schema: Json, isRequired = true): Json {
  const names = pointer.split('/').slice(1).map(fromPointer);
  return names.reduceRight<Json>(
    (inner, name) => ({
      type: 'object',
      properties: { [name]: inner },
      required: isRequired ? [name] : [],
    }),
    schema,
  );
}

function toStudy({ answer }: Contract): Json {
  const fields = answerNames.filter((field) => !answer.absent.includes(field));
  const toProperty = (field: FieldName): Json => {
    const schema = toSchema(answer, field);
    if (field === 'id') return { ...schema, examples: [exampleId] };
    return studyFields[field].answer === 'value' ? schema : toNullable(schema);
  };
  const required = fields.filter((field) => studyFields[field].answer !== 'optional');
  return toObject(answer, fields, toProperty, required);
}

function toInput({ request }: Contract, write: WriteName): Json {
  const fields = requestNames[write].filter((field) => !request.absent[write].includes(field));
  const toProperty = (field: FieldName): Json => toNullable(toSchema(request, field));
  return toObject(request, fields, toProperty, request.required[write]);
}

function toObject(
  names: Names,
  fields: readonly FieldName[],
  toProperty: (field: FieldName) => Json,
  required: readonly FieldName[],
): Json {
  return {
    type: 'object',
    properties: Object.fromEntries(
      fields.map((field) => [toApiName(names, field), toProperty(field)]),
    ),
    required: required.map((field) => toApiName(names, field)),
  };
}

function toSchema(names: Names, field: FieldName): Json {
  const schema = kinds[studyFields[field].kind];
  if (schema) return schema;
  const parts = progressParts.map((part) => toApiName(names, progressPrefix + part));
  const properties = Object.fromEntries(parts.map((part) => [part, toNullable(integer)]));
  return { type: 'object', properties };
}

function toNullable(schema: Json): Json {
  return { ...schema, type: [schema['type'], 'null'] };
}

function toList(contract: Contract): Json {
  const { studies } = contract.operations;
  if (!studies) return {};
  const { items, numbers, parameters, absent, projects, firstPage } = studies;
  const schemas = {
    page: { type: 'integer', minimum: firstPage, default: firstPage },
    size: { type: 'integer', minimum: 1, maximum: 100, default: 50 },
    projectId: { type: 'array', items: uuid },
  };
  const beside = items.slice(0, items.lastIndexOf('/') + 1);
  const examples = { page: firstPage, size: 50, total: 1, pages: 1 };
  const toNumber = (number: keyof typeof examples): Json =>
    placeAt(
      numbers[number] ?? beside + number,
      { ...toNullable(integer), examples: [examples[number]] },
      false,
    );
  const page = [placeAt(items, { type: 'array', items: reference }), ...pageNumbers.map(toNumber)];
  const taken = listArguments.filter((argument) => !absent.includes(argument));
  return {
    ...toHead('studies'),
    parameters: taken.map((argument) => ({
      name: parameters[argument] ?? argument,
      in: 'query',
      explode: projects === 'repeated',
      schema: schemas[argument],
    })),
    responses: toResponses(contract, { allOf: page }),
  };
}
