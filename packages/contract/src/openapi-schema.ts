import { isObject, toObject, toPointer, type JsonObject } from './json.js';
import { kinds, type Kind } from './study-fields.js';

/** Joins objects; a later member takes the place of an earlier one. */
export function merge(values: readonly unknown[]): JsonObject {
  return Object.fromEntries(values.filter(isObject).flatMap((value) => Object.entries(value)));
}

/** A schema, joined with what `allOf`, `anyOf` and `oneOf` add. */
export interface Shape extends JsonObject {
  /** Type beside `null`. */
  readonly type: string | undefined;
  readonly properties: JsonObject;
  readonly required: readonly unknown[];
}

/**
 * Reads a schema whose references are resolved.
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

/** Returns whether a property of kind `other` can hold a field of kind `kind`. */
export function fits(kind: Kind, other: Kind | 'other' | undefined): boolean {
  if (other === undefined || kind === other) return true;
  const { type } = kinds[kind];
  return type !== 'array' && other !== 'other' && type === kinds[other].type;
}

/** A schema within another one, and its place as a JSON Pointer. */
export interface Place {
  readonly pointer: string;
  readonly schema: unknown;
}

/** Returns a schema, and the properties of it and of its properties: what may be around a study, or a list. */
export function toPlaces(schema: unknown): Place[] {
  const toInner = ({ pointer, schema }: Place): Place[] =>
    Object.entries(toShape(schema).properties).map(([name, inner]) => ({
      pointer: pointer + toPointer([name]),
      schema: inner,
    }));
  const whole = { pointer: '', schema };
  const outer = toInner(whole);
  return [whole, ...outer, ...outer.flatMap(toInner)];
}
