import { readFile } from 'node:fs/promises';
import { toContractError } from './file.js';
import { createRead, isObject, toObject, toPointer, type JsonObject } from './json.js';
import { answerNames } from './study-fields.js';

/** Maximum time for the download, in ms. */
const TIMEOUT_MS = 10_000;

/**
 * Reads an OpenAPI document, and resolves its references.
 *
 * @throws ContractError when the document cannot be read, or is no OpenAPI 3 document in JSON
 */
export async function readDocument(source: string): Promise<JsonObject> {
  try {
    const document: unknown = JSON.parse(await readText(source));
    const { openapi, paths } = toObject(document);
    if (/^3\.[01]\./.test(String(openapi)) && isObject(paths)) return toObject(resolve(document));
    throw new Error('it has no paths of OpenAPI 3.0 or 3.1');
  } catch (error) {
    // The cause of "fetch failed" says why.
    const reason = error instanceof Error && error.cause instanceof Error ? error.cause : error;
    const problem = `cannot be read as OpenAPI 3.0 or 3.1 in one file of JSON (of YAML or several files, "npx @redocly/cli bundle ${source} --output openapi.json" makes one)`;
    throw toContractError(source, problem, reason);
  }
}

/** Returns the URL of a document; `undefined` for the path of a file. */
export function toDocumentUrl(source: string): URL | undefined {
  return /^https?:\/\//i.test(source) ? new URL(source) : undefined;
}

async function readText(source: string): Promise<string> {
  const url = toDocumentUrl(source);
  if (!url) return readFile(source, 'utf8');
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  // drf-spectacular answers with YAML unless JSON is asked for.
  const response = await fetch(url, { signal, headers: { accept: 'application/json, */*' } });
  if (!response.ok) throw new Error(`the answer has the status ${response.status}`);
  return response.text();
}

/** Puts what a reference names in its place. A schema that refers to itself becomes an object that contains itself. */
function resolve(document: unknown): unknown {
  const known = new Map<string, object>();
  const walk = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(walk);
    if (!isObject(value)) return value;
    const { $ref, ...others } = value;
    const rest = Object.fromEntries(Object.entries(others).map(([key, part]) => [key, walk(part)]));
    if (typeof $ref !== 'string') return rest;
    const old = known.get($ref);
    const target = old ?? {};
    known.set($ref, target);
    const part = createRead(decodeURIComponent($ref))(document);
    if (!$ref.startsWith('#') || part === undefined) throw new Error(`it does not have "${$ref}"`);
    if (!old) Object.assign(target, walk(part));
    return Object.keys(rest).length > 0 ? { allOf: [target], ...rest } : target;
  };
  return walk(document);
}

/** Joins objects; a later member takes the place of an earlier one. */
function merge(values: readonly unknown[]): JsonObject {
  return Object.fromEntries(values.filter(isObject).flatMap((value) => Object.entries(value)));
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
  const properties = merge(parts.map((part) => part['properties']));
  const types = parts.flatMap((part) => part['type'] ?? []).map(String);
  const isObjectSchema = Object.keys(properties).length > 0;
  return {
    ...merge(parts),
    type: types.find((type) => type !== 'null') ?? (isObjectSchema ? 'object' : undefined),
    properties,
    // Of several choices, none is demanded.
    required: all.flatMap((part) => part['required'] ?? []),
  };
}

/** Returns type and format of a value, or of the items of a list. NestJS calls each number `number`. */
export function toKind(schema: unknown): string {
  const { type, format, items } = toShape(schema);
  if (type === 'array') return `array of ${toShape(items).type}`;
  if (type === 'string' && (format === 'uuid' || format === 'date-time')) return format;
  return type === 'number' ? 'integer' : String(type);
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

/** Returns a name without what only the rule of its case decides: `plan_id` and `planId` become equal. */
function fold(name: string): string {
  return name.replaceAll(/[^\p{L}\p{N}]/gu, '').toLowerCase();
}

/** Returns the name that is one of several, the first one preferred, whatever the rule of its case is. */
export function findName(names: readonly string[], all: readonly string[]): string | undefined {
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
      const success = Object.keys(all).find((status) => /^2(?:\d\d|XX)$/i.test(status));
      return {
        method: method.toUpperCase(),
        path: prefix + path.replaceAll(/\{[^{}]*\}/g, '{id}'),
        parameters: [item['parameters'], parameters].flat().filter(isObject),
        body: toSchema(requestBody),
        /** Schema of the body of a success. */
        answer: toSchema(all[success ?? 'default']),
      };
    });
  });
}

/** Returns the schema of the JSON in a body. springdoc calls the media type of an answer any. */
function toSchema(body: unknown): unknown {
  const media = Object.entries(toObject(toObject(body)['content']));
  const json = media.find(([type]) => /[/+]json\b|^\*\/\*$/.test(type));
  return toObject(json?.[1])['schema'];
}

/** Returns the address of the first server, with the defaults of its variables; relative if the document says no more. */
export function toServer({ servers }: JsonObject, url: URL | undefined): URL | string {
  const { url: server = '/', variables } = toObject([servers].flat()[0]);
  const filled = String(server).replaceAll(/\{([^{}]*)\}/g, (_, name: string) => {
    const { default: value } = toObject(toObject(variables)[name]);
    return typeof value === 'string' ? value : name;
  });
  return URL.parse(filled, url) ?? filled;
}
