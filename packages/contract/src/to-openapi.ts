import { toApiName, toNumberPlace, type Contract, type Names } from './contract.js';
import { toSteps, type JsonObject } from './json.js';
import {
  answerNames,
  kinds,
  listArguments,
  pageNumbers,
  partNames,
  requestNames,
  studyFields,
  type FieldName,
  type WriteName,
} from './study-fields.js';

const { integer, uuid } = kinds;
const exampleId = '5b1f0c9e-2d64-4c1a-9f1e-7a3b8c2d4e50';
const reference = { $ref: '#/components/schemas/Study' };
/** Names of the schemas of bodies. */
const inputs = { createStudy: 'CreateStudy', editStudy: 'EditStudy' };

/** Returns the OpenAPI 3.1 document of an API that keeps a contract: what the gateway sends, and what it can read. */
export function toOpenApi(contract: Contract): JsonObject {
  const { answer, operations } = contract;
  const paths: Record<string, Record<string, unknown>> = {};
  const add = (name: keyof typeof operations, method: string, operation: JsonObject): void => {
    const form = operations[name];
    if (!form) return;
    const head = { operationId: name, summary: `The GraphQL field ${name}.` };
    (paths[form.path] ??= toPathItem(form.path))[method] = { ...head, ...operation };
  };
  add('studies', 'get', toList(contract));
  add('createStudy', 'post', toWrite(contract, 'createStudy'));
  add('study', 'get', { responses: toResponses(contract, toEnvelope(contract)) });
  add('editStudy', 'patch', toWrite(contract, 'editStudy'));

  const shown = answerNames.filter((field) => !answer.absent.includes(field));
  const required = shown.filter((field) => studyFields[field].answer !== 'optional');
  const Study = toObject(answer, shown, required, ({ answer }) => answer !== 'value');
  return {
    openapi: '3.1.0',
    info: {
      title: 'Study API',
      version: '0.3.0',
      description: 'What study-gateway assumes of a Study API. Unknown fields are ignored.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: 'http://127.0.0.1:4010' }],
    paths,
    security: [{ bearer: [] }],
    components: {
      schemas: {
        Study,
        ...(operations.createStudy && { [inputs.createStudy]: toInput(contract, 'createStudy') }),
        ...(operations.editStudy && { [inputs.editStudy]: toInput(contract, 'editStudy') }),
      },
      securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } },
    },
  };
}

function toPathItem(path: string): Record<string, unknown> {
  const name = /\{(\w+)\}/.exec(path)?.[1];
  const schema = { ...uuid, examples: [exampleId] };
  return name === undefined ? {} : { parameters: [{ name, in: 'path', required: true, schema }] };
}

function toWrite(contract: Contract, write: WriteName): JsonObject {
  const { keys } = contract;
  const schema = { $ref: `#/components/schemas/${inputs[write]}` };
  return {
    ...(keys && { parameters: [{ name: keys.header, in: 'header', schema: kinds.text }] }),
    requestBody: { required: true, content: { 'application/json': { schema } } },
    responses: toResponses(contract, toEnvelope(contract)),
  };
}

function toInput({ request }: Contract, write: WriteName): JsonObject {
  const fields = requestNames[write].filter((field) => !request.absent[write].includes(field));
  return toObject(request, fields, request.required[write], () => true);
}

function toResponses({ verdicts }: Contract, schema: JsonObject): JsonObject {
  const { applied = [200], rejected = ['4XX'] } = verdicts;
  const success = { description: 'Success', content: { 'application/json': { schema } } };
  return Object.fromEntries<unknown>([
    ...applied.map((status) => [status, success] as const),
    ...rejected.map((status) => [status, { description: 'Refusal' }] as const),
  ]);
}

/** Returns the schema of the answer to one study. */
function toEnvelope({ answer, verdicts }: Contract): JsonObject {
  const schema = placeAt(answer.at ?? '', reference);
  const flags = Object.entries(verdicts.success ?? {}).map(([pointer, yes]) =>
    placeAt(pointer, { type: yes === null ? 'null' : typeof yes, const: yes }),
  );
  return flags.length > 0 ? { allOf: [schema, ...flags] } : schema;
}

/** Returns the schema of an object that has a value of `schema` at a JSON Pointer. */
function placeAt(pointer: string, schema: JsonObject, isRequired = true): JsonObject {
  return toSteps(pointer).reduceRight<JsonObject>(
    (inner, name) => ({
      type: 'object',
      properties: { [name]: inner },
      ...(isRequired && { required: [name] }),
    }),
    schema,
  );
}

/** Returns the schema of an object with the API's names. */
function toObject(
  names: Names,
  fields: readonly FieldName[],
  required: readonly FieldName[],
  isNullable: (field: (typeof studyFields)[FieldName]) => boolean,
): JsonObject {
  const toProperty = (field: FieldName): JsonObject => {
    const { kind } = studyFields[field];
    const parts = partNames.map((part) => [toApiName(names, part), toNullable(integer)] as const);
    const properties = kind === 'progress' && { properties: Object.fromEntries(parts) };
    const schema = { ...kinds[kind], ...properties };
    if (field === 'id') return { ...schema, examples: [exampleId] };
    return isNullable(studyFields[field]) ? toNullable(schema) : schema;
  };
  return {
    type: 'object',
    properties: Object.fromEntries(
      fields.map((field) => [toApiName(names, field), toProperty(field)]),
    ),
    // OpenAPI 3.0 allows no empty list.
    ...(required.length > 0 && { required: required.map((field) => toApiName(names, field)) }),
  };
}

function toNullable(schema: JsonObject): JsonObject {
  return { ...schema, type: [schema['type'], 'null'] };
}

function toList(contract: Contract): JsonObject {
  const { studies } = contract.operations;
  if (!studies) return {};
  const { items, parameters, absent, projects, firstPage } = studies;
  const schemas = {
    page: { type: 'integer', minimum: firstPage, default: firstPage },
    size: { type: 'integer', minimum: 1, maximum: 100, default: 50 },
    projectId: { type: 'array', items: uuid },
  };
  const examples = { page: firstPage, size: 50, total: 1, pages: 1 };
  const numbers = pageNumbers.map((number) => {
    const schema = { ...toNullable(integer), examples: [examples[number]] };
    return placeAt(toNumberPlace(studies, number), schema, false);
  });
  const page = [placeAt(items, { type: 'array', items: reference }), ...numbers];
  const taken = listArguments.filter((argument) => !absent.includes(argument));
  return {
    parameters: taken.map((argument) => ({
      name: parameters[argument] ?? argument,
      in: 'query',
      style: 'form',
      explode: projects === 'repeated',
      schema: schemas[argument],
    })),
    responses: toResponses(contract, { allOf: page }),
  };
}
