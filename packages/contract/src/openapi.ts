import { readFile } from 'node:fs/promises';
import { ContractError, toContractError } from './contract.js';
import { createRead, isObject, toObject, toPointer, type JsonObject } from './json.js';
import { kinds, type Kind } from './study-fields.js';

/** Maximum time for the download, in ms. */
const TIMEOUT_MS = 10_000;

/** Reads the text of a document: `JSON.parse`, or a parser of YAML. */
export type ParseDocument = (text: string) => unknown;

/**
 * Reads an OpenAPI document, and resolves its references.
 *
 * @throws ContractError when the document cannot be read, or is no OpenAPI 3 document
 */
export async function readDocument(source: string, parse: ParseDocument): Promise<JsonObject> {
  let document: unknown;
  try {
    document = parse(await readText(source));
  } catch (error) {
    // The cause of "fetch failed" says why.
    const reason = error instanceof Error && error.cause instanceof Error ? error.cause : error;
    throw toContractError(source, 'cannot be read', reason);
  }
  const { openapi, swagger, paths } = toObject(document);
  if (typeof swagger === 'string')
    throw new ContractError(
      `${source} is a document of Swagger ${swagger}: OpenAPI 3.0 and 3.1 can be read. Convert it first.`,
    );
  if (typeof openapi !== 'string' || !/^3\.[01]\./.test(openapi) || !isObject(paths))
    throw new ContractError(`${source} is no document of OpenAPI 3.0 or 3.1 with paths.`);
  return toObject(resolve(source, toObject(document)));
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
function resolve(source: string, document: JsonObject): unknown {
  const known = new Map<string, object>();
  const walk = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(walk);
    if (!isObject(value)) return value;
    const { $ref, ...others } = value;
    if (typeof $ref !== 'string')
      return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, walk(part)]));
    if (!$ref.startsWith('#'))
      throw new ContractError(`${source} refers to "${$ref}": join its files into one first.`);
    const old = known.get($ref);
    const target = old ?? {};
    known.set($ref, target);
    const part = createRead(decodeURIComponent($ref.slice(1)))(document);
    if (part === undefined)
      throw new ContractError(`${source} refers to "${$ref}", which it does not have.`);
    if (!old) Object.assign(target, walk(part));
    return Object.keys(others).length > 0 ? { allOf: [target], ...toObject(walk(others)) } : target;
  };
  return walk(document);
}

/** A schema, joined with what `allOf`, `anyOf` and `oneOf` add. */
export interface Shape extends JsonObject {
  /** Type beside `null`. */
  readonly type: string | undefined;
  readonly properties: JsonObject;
  readonly required: readonly unknown[];
}

/** Joins objects; a later member takes the place of an earlier one. */
function merge(values: readonly unknown[]): JsonObject {
  return Object.fromEntries(values.filter(isObject).flatMap((value) => Object.entries(value)));
}

/**
 * Reads a schema.
 *
 * @param around schemas that this schema is part of: a part that contains itself is left out
 */
export function toShape(schema: unknown, around: readonly unknown[] = []): Shape {
  const { allOf, anyOf, oneOf, ...own } = toObject(schema);
  const path = [...around, schema];
  const read = (parts: readonly unknown[]): Shape[] => {
    const others = parts.filter((part) => isObject(part) && !path.includes(part));
    return others.map((part) => toShape(part, path)).filter(({ type }) => type !== 'null');
  };
  const all = read([allOf].flat());
  const choices = read([anyOf, oneOf].flat());
  const joined = merge([...all, ...choices, own]);
  const properties = merge([...all, ...choices, own].map((part) => part['properties']));
  const types = [joined['type']].flat().filter((type) => typeof type === 'string');
  const type = types.find((type) => type !== 'null') ?? types[0];
  // Of several choices, none is demanded.
  const demanding = [...all, ...(choices.length > 1 ? [] : choices), own];
  return {
    ...joined,
    type: type ?? (Object.keys(properties).length > 0 ? 'object' : undefined),
    properties,
    required: demanding.flatMap((part) => part['required'] ?? []),
  };
}

/** Kinds by types. NestJS calls each number `number`. */
const kindsOfTypes: Readonly<Record<string, Kind>> = {
  string: 'text',
  boolean: 'boolean',
  integer: 'integer',
  number: 'integer',
  object: 'object',
};
const listsOfTypes: Readonly<Record<string, Kind>> = { string: 'texts', object: 'objects' };

/** Returns the kind of a value; `undefined` if the schema allows any, `other` if no field of a study has the kind. */
export function toKind(schema: unknown): Kind | 'other' | undefined {
  const { type, format, items, properties } = toShape(schema);
  const toType = (inner: unknown): string => toShape(inner).type ?? '';
  if (type === 'array') return toType(items) ? (listsOfTypes[toType(items)] ?? 'other') : undefined;
  if (type === 'string' && (format === 'uuid' || format === 'date-time')) return format;
  const parts = Object.values(properties).map((part) => kindsOfTypes[toType(part)]);
  if (parts.length === 3 && parts.every((kind) => kind === 'integer')) return 'progress';
  return type === undefined ? undefined : (kindsOfTypes[type] ?? 'other');
}

/** Returns whether a property of kind `other` can hold a field of kind `kind`. A date and time is no other text. */
export function fits(kind: Kind, other: Kind | 'other' | undefined): boolean {
  if (other === undefined || kind === other) return true;
  const isOtherType = other === 'other' || other === 'date-time' || kinds[kind] !== kinds[other];
  return !isOtherType && kinds[kind] !== 'array';
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

/** An operation of an OpenAPI document. A schema is `undefined` if the document shows none. */
export interface FoundOperation {
  /** HTTP method in capitals. */
  readonly method: string;
  readonly path: string;
  readonly parameters: readonly JsonObject[];
  readonly body: unknown;
  /** Schema of the body of a success. */
  readonly answer: unknown;
}

/** Returns the operations of a document, whose paths begin with that of its first server. */
export function toOperations(document: JsonObject, prefix: string): FoundOperation[] {
  return Object.entries(toObject(document['paths'])).flatMap(([path, value]) => {
    const item = toObject(value);
    return Object.entries(item).map(([method, operation]) => {
      const { parameters, requestBody, responses } = toObject(operation);
      const all = toObject(responses);
      const success = Object.keys(all).find((status) => /^2(?:\d\d|XX)$/i.test(status));
      return {
        method: method.toUpperCase(),
        path: prefix + path,
        parameters: [item['parameters'], parameters].flat().filter(isObject),
        body: toSchema(requestBody),
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
