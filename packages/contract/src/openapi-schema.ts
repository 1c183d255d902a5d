import type { Kind } from './study-fields.js';

export type JsonObject = Readonly<Record<string, unknown>>;

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Returns an object without members that say nothing; `undefined` if no member is left. */
export function compact(members: JsonObject): JsonObject | undefined {
  const entries = Object.entries(members).filter(
    ([, value]) => value !== undefined && !(Array.isArray(value) && value.length === 0),
  );
  return entries.length > 0 ? Object.fromEntries(entries) : undefined;
}

/** Joins objects; a later member takes the place of an earlier one. */
export function merge(values: readonly unknown[]): JsonObject {
  return Object.fromEntries(values.filter(isObject).flatMap((value) => Object.entries(value)));
}

/** A schema, joined with what `allOf`, `anyOf` and `oneOf` add. */
export interface Shape extends JsonObject {
  /** Type beside `null`. */
  readonly type?: unknown;
  readonly properties: JsonObject;
  readonly required: readonly unknown[];
}

/**
 * Reads a schema whose references are resolved.
 *
 * @param around schemas that this schema is part of: a part that contains itself is left out
 */
export function toShape(schema: unknown, around: readonly unknown[] = []): Shape {
  const { allOf, anyOf, oneOf, ...own }: JsonObject = isObject(schema) ? schema : {};
  const path = [...around, schema];
  const read = (list: unknown): Shape[] => {
    const parts: unknown[] = Array.isArray(list) ? list : [];
    const others = parts.filter((part) => !path.includes(part));
    return others.map((part) => toShape(part, path)).filter(({ type }) => type !== 'null');
  };
  const choices = [...read(anyOf), ...read(oneOf)];
  const joined = [...read(allOf), ...choices];
  // Of several choices, none is demanded.
  const demanding = choices.length > 1 ? read(allOf) : joined;
  const all = merge([...joined, own]);
  const types = [all['type']].flat();
  return {
    ...all,
    type: types.find((type) => type !== 'null') ?? types[0],
    properties: merge([...joined.map(({ properties }) => properties), own['properties']]),
    required: [own['required'] ?? [], ...demanding.map(({ required }) => required)].flat(),
  };
}

const listKinds: Readonly<Record<string, Kind>> = {
  text: 'texts',
  uuid: 'texts',
  'date-time': 'texts',
  object: 'objects',
  progress: 'objects',
};

/** NestJS calls each number `number`. */
function isInteger(schema: unknown): boolean {
  const { type } = toShape(schema);
  return type === 'integer' || type === 'number';
}

/** Returns the kind of a value; `undefined` if the schema allows any, `other` if no field of a study has the kind. */
export function toKind(schema: unknown): Kind | 'other' | undefined {
  const { type, format, items, properties } = toShape(schema);
  if (type === 'string') return format === 'uuid' || format === 'date-time' ? format : 'text';
  if (isInteger(schema)) return 'integer';
  if (type === 'array') {
    // Not of lists: a list may contain itself.
    const kind = toShape(items).type === 'array' ? 'other' : toKind(items);
    return kind && (listKinds[kind] ?? 'other');
  }
  if (type !== undefined && type !== 'object') return type === 'boolean' ? type : 'other';
  const inner = Object.values(properties);
  const isProgress = inner.length === 3 && inner.every(isInteger);
  if (isProgress) return 'progress';
  return type === 'object' || inner.length > 0 ? 'object' : undefined;
}

const families: readonly (readonly unknown[])[] = [
  ['uuid', 'date-time', 'text'],
  ['object', 'progress'],
];

/** Returns whether a property of kind `other` can hold a field of kind `kind`. */
export function fits(kind: Kind, other: Kind | 'other' | undefined): boolean {
  if (other === undefined || kind === other) return true;
  return families.some((family) => family.includes(kind) && family.includes(other));
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
      pointer: `${pointer}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`,
      schema: inner,
    }));
  const whole = { pointer: '', schema };
  const outer = toInner(whole);
  return [whole, ...outer, ...outer.flatMap(toInner)];
}
