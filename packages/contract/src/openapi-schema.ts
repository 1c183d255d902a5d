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

/** Maximum number of schemas in each other that are joined: a schema may contain itself. */
const MAX_LEVELS = 8;

/** A schema of an OpenAPI document, with what `allOf`, `anyOf` and `oneOf` add. */
export interface Shape {
  /** Type without `null`; `undefined` if the schema allows several types, or any. */
  readonly type: string | undefined;
  readonly format: unknown;
  readonly items: unknown;
  readonly minimum: unknown;
  readonly default: unknown;
  readonly properties: JsonObject;
  readonly required: readonly string[];
}

/** Reads a schema whose references are resolved. */
export function toShape(schema: unknown, levels = MAX_LEVELS): Shape {
  const own = isObject(schema) ? schema : {};
  const types = [own['type']].flat().filter((type) => typeof type === 'string' && type !== 'null');
  const choices = [own['anyOf'], own['oneOf']].map((list) => toParts(list, levels));
  // One choice beside `null` is what OpenAPI 3.1 writes for a nullable value. Of several, none is required.
  const chosen = choices.flatMap((list) =>
    list.length === 1 ? list : list.map((shape) => ({ ...shape, required: [] })),
  );
  const parts = [...toParts(own['allOf'], levels), ...chosen];
  const found = new Set([...types, ...parts.flatMap(({ type }) => type ?? [])]);
  return {
    type: found.size === 1 ? String([...found][0]) : undefined,
    format: own['format'] ?? parts.find(({ format }) => format !== undefined)?.format,
    items: own['items'] ?? parts.find(({ items }) => items !== undefined)?.items,
    minimum: toMinimum(own) ?? parts.find(({ minimum }) => minimum !== undefined)?.minimum,
    default: own['default'] ?? parts.find((part) => part.default !== undefined)?.default,
    properties: Object.assign(
      {},
      ...parts.map(({ properties }) => properties),
      isObject(own['properties']) ? own['properties'] : {},
    ) as JsonObject,
    required: [...toTexts(own['required']), ...parts.flatMap(({ required }) => required)],
  };
}

/** `exclusiveMinimum` is a flag in OpenAPI 3.0, and a number in 3.1. */
function toMinimum({ minimum, exclusiveMinimum }: JsonObject): unknown {
  const excluded = exclusiveMinimum === true ? minimum : exclusiveMinimum;
  return typeof excluded === 'number' ? excluded + 1 : minimum;
}

function toParts(schemas: unknown, levels: number): Shape[] {
  if (!Array.isArray(schemas) || levels === 0) return [];
  return schemas
    .filter((schema) => !isObject(schema) || schema['type'] !== 'null')
    .map((schema) => toShape(schema, levels - 1));
}

function toTexts(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];
}

/** Returns the kind of a value; `undefined` if the schema allows any, `other` if no field of a study has the kind. */
export function toKind(schema: unknown): Kind | 'other' | undefined {
  const { type, format, items, properties } = toShape(schema);
  switch (type) {
    case 'string':
      return format === 'uuid' || format === 'date-time' ? format : 'text';
    case 'boolean':
      return 'boolean';
    case 'integer':
    case 'number':
      return 'integer';
    case 'array':
      return items === undefined ? undefined : toListKind(toKind(items));
    case 'object':
    case undefined: {
      const inner = Object.values(properties);
      if (inner.length === 0) return type;
      const isOfIntegers = inner.every((part) => toShape(part).type === 'integer');
      return inner.length === 3 && isOfIntegers ? 'progress' : 'object';
    }
    default:
      return 'other';
  }
}

function toListKind(kind: Kind | 'other' | undefined): Kind | 'other' | undefined {
  if (kind === 'object' || kind === 'progress') return 'objects';
  return kind === undefined ? kind : texts.has(kind) ? 'texts' : 'other';
}

const texts: ReadonlySet<unknown> = new Set(['text', 'uuid', 'date-time']);
const objects: ReadonlySet<unknown> = new Set(['object', 'progress']);

/** Returns whether a property of kind `other` can hold a field of kind `kind`. */
export function fits(kind: Kind, other: Kind | 'other' | undefined): boolean {
  if (other === undefined || kind === other) return true;
  return (texts.has(kind) && texts.has(other)) || (objects.has(kind) && objects.has(other));
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
  const outer = toInner({ pointer: '', schema });
  return [{ pointer: '', schema }, ...outer, ...outer.flatMap(toInner)];
}
