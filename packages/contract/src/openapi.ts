import { isObject, toObject, toPointer, type JsonObject } from './json.js';
import { answerNames } from './study-fields.js';

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
export type Operation = ReturnType<typeof toOperations>[number];

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
