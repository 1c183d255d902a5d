import { readFile } from 'node:fs/promises';
import { ContractError } from './file.js';
import { createRead, isObject, toObject, toPointer, type JsonObject } from './json.js';
import { answerNames } from './study-fields.js';

/**
 * Reads an OpenAPI document, and resolves its references.
 *
 * @param source a URL, or the path of a file
 * @throws ContractError when the document cannot be read, or is no OpenAPI 3 document in JSON
 */
export async function readDocument(source: string): Promise<JsonObject> {
  try {
    const document: unknown = JSON.parse(await readText(source));
    const { openapi, paths } = toObject(document);
    if (/^3\.[01]\./.test(String(openapi)) && isObject(paths)) return toObject(resolve(document));
    throw new Error('it has no paths of OpenAPI 3.0 or 3.1');
  } catch (error) {
    const remedy = `It must be OpenAPI 3 in one file of JSON; of YAML or several files, "npx @redocly/cli bundle ${source} --output openapi.json" makes one.`;
    const message = `${source} cannot be read: ${toReason(error)}\n${remedy}`;
    throw new ContractError(message, { cause: error });
  }
}

/** Returns why something failed: fetch says it in its cause, which has only a code if a name has several addresses. */
function toReason(error: unknown): string {
  const { message, code, cause } = Object(error);
  return cause === undefined ? message || code : toReason(cause);
}

function isUrl(source: string): boolean {
  return /^https?:\/\//i.test(source);
}

async function readText(source: string): Promise<string> {
  if (!isUrl(source)) return readFile(source, 'utf8');
  // drf-spectacular answers with YAML unless JSON is asked for.
  const response = await fetch(source, { headers: { accept: 'application/json, */*' } });
  if (!response.ok) throw new Error(`the answer has the status ${response.status}`);
  return response.text();
}

/** Puts what a reference names in its place. A schema that refers to itself becomes an object that contains itself. */
function resolve(document: unknown): unknown {
  const known = new Map<string, object>();
  const walk = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(walk);
    if (!isObject(value)) return value;
    const { $ref } = value;
    if (typeof $ref !== 'string')
      return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, walk(part)]));
    const old = known.get($ref);
    if (old) return old;
    const part = createRead(decodeURIComponent($ref))(document);
    if (!$ref.startsWith('#') || part === undefined) throw new Error(`it does not have "${$ref}"`);
    const target = {};
    known.set($ref, target);
    return Object.assign(target, walk(part));
  };
  return walk(document);
}

interface Shape extends JsonObject {
  readonly type: string | undefined;
  readonly properties: JsonObject;
  readonly required: readonly unknown[];
}

/**
 * Joins a schema with what `allOf`, `anyOf` and `oneOf` add. Its type is that beside `null`.
 *
 * @param around schemas that this schema is part of: a part that contains itself is left out
 */
export function toShape(schema: unknown, around: readonly unknown[] = []): Shape {
  const { allOf, anyOf, oneOf, ...own } = toObject(schema);
  const path = [...around, schema];
  const read = (...lists: readonly unknown[]): JsonObject[] => {
    const parts = lists.flat().filter((part) => isObject(part) && !path.includes(part));
    return parts.map((part) => toShape(part, path));
  };
  const all = [...read(allOf), own];
  const parts = [...read(anyOf, oneOf), ...all];
  const types = parts.flatMap((part) => part['type'] ?? []).map(String);
  return {
    ...Object.assign({}, ...parts),
    type: types.find((type) => type !== 'null'),
    properties: Object.assign({}, ...parts.map((part) => part['properties'])),
    // Of several choices, none is demanded.
    required: all.flatMap((part) => part['required'] ?? []),
  };
}

/** Returns whether values are numbers. NestJS calls each integer `number`. */
export function isNumber(schema: unknown): boolean {
  const { type } = toShape(schema);
  return type === 'integer' || type === 'number';
}

/** A schema within another one, and its place as a JSON Pointer. */
export interface Place {
  readonly pointer: string;
  readonly schema: unknown;
}

/** Returns a schema, and the properties of it and of its properties: what may be around a study, or a list. */
export function toPlaces(schema: unknown, levels = 3): Place[] {
  const inner = levels === 0 ? [] : Object.entries(toShape(schema).properties);
  return [
    { pointer: '', schema },
    ...inner.flatMap(([name, part]) =>
      toPlaces(part, levels - 1).map((place) => ({
        pointer: toPointer([name]) + place.pointer,
        schema: place.schema,
      })),
    ),
  ];
}

/** Returns the name that is one of several, the first one preferred, whatever the rule of its case is. */
export function findName(names: readonly string[], all: readonly string[]): string | undefined {
  const fold = (name: string): string => name.replaceAll(/[^\p{L}\p{N}]/gu, '').toLowerCase();
  return names.flatMap((name) => all.filter((other) => fold(other) === fold(name)))[0];
}

/** Returns the place that looks most like a study: that with the most names of a study. */
export function findStudy(schema: unknown): Place {
  const rank = (place: Place): number => {
    const names = Object.keys(toShape(place.schema).properties);
    return names.filter((name) => findName([name], answerNames) !== undefined).length;
  };
  return toPlaces(schema).toSorted((one, other) => rank(other) - rank(one))[0]!;
}

/** An operation of an OpenAPI document. */
export type FoundOperation = ReturnType<typeof toOperations>[number];

/**
 * Returns the operations of a document, whose paths begin with that of its first server, and have the placeholders `{id}`.
 * A schema is `undefined` if the document shows none.
 */
export function toOperations(document: JsonObject, prefix: string) {
  return Object.entries(toObject(document['paths'])).flatMap(([path, value]) => {
    const item = toObject(value);
    return Object.entries(item).map(([method, operation]) => {
      const { parameters, requestBody, responses } = toObject(operation);
      const all = toObject(responses);
      const success = Object.keys(all).find((status) => status.startsWith('2')) ?? 'default';
      return {
        method: method.toUpperCase(),
        path: prefix + path.replaceAll(/\{[^{}]*\}/g, '{id}'),
        parameters: [item['parameters'], parameters].flat().filter(isObject),
        body: toSchema(requestBody),
        /** Schema of the body of a success. */
        answer: toSchema(all[success]),
      };
    });
  });
}

/** Returns the schema of a body: of its first media type, since they all describe one form. */
function toSchema(body: unknown): unknown {
  const [media] = Object.values(toObject(toObject(body)['content']));
  return toObject(media)['schema'];
}

/**
 * Returns origin and path of the first server, with the defaults of its variables.
 *
 * @param source where the document was read from
 */
export function toServer({ servers }: JsonObject, source: string) {
  const { url = '/', variables } = toObject([servers].flat()[0]);
  const toDefault = (_: string, name: string): string =>
    String(toObject(toObject(variables)[name])['default']);
  const filled = String(url).replaceAll(/\{([^{}]*)\}/g, toDefault);
  const base = isUrl(source) ? source : 'https://study-api.example';
  const { origin, pathname } = new URL(filled, base);
  return { origin, path: pathname.replace(/\/$/, '') };
}
