import { toPointer, type JsonObject } from './json.js';
import { findName, findStudy, toPlaces, toShape, type Operation } from './openapi.js';
import { requestNames, toApiName, type FieldName, type WriteName } from './study-fields.js';

/** The fields of requests, or those of answers, as a document shows them. */
export type Side = ReturnType<typeof toSide>;

/**
 * Finds the API's names of fields.
 *
 * @param properties what the document shows in place of the fields; empty if it shows none
 * @param places names that need no search
 */
export function toSide(
  name: 'request' | 'answer',
  fields: readonly FieldName[],
  properties: JsonObject,
  places: Readonly<Partial<Record<FieldName, string>>> = {},
) {
  const all = Object.keys(properties);
  const apiNames = new Map<FieldName, string>();
  for (const field of fields) {
    const apiName = places[field] ?? findName([field], all);
    if (apiName !== undefined) apiNames.set(field, apiName);
  }
  const used = new Set(apiNames.values());
  return {
    name,
    isEmpty: all.length === 0,
    /** The API's names by those of GraphQL, of the fields that the API has. */
    apiNames,
    missing: fields.filter((field) => !apiNames.has(field)),
    /** What the API has besides. */
    unused: all.filter((apiName) => !used.has(apiName)).join(', '),
  };
}

/** Returns how one side names its fields, and which ones it lacks. */
export function toNames({ isEmpty, apiNames, missing }: Side) {
  if (isEmpty) return {};
  const isSnake = [...apiNames.values()].some((name) => /[a-z]_/.test(name));
  const naming = isSnake ? 'snake_case' : 'camelCase';
  const rule = { naming, names: {} } as const;
  const exceptions = [...apiNames].filter(([field, name]) => toApiName(rule, field) !== name);
  return {
    naming: isSnake ? naming : undefined,
    names: Object.fromEntries(missing.includes('id') ? [...exceptions, ['id', '']] : exceptions),
    absent: missing.filter((field) => field !== 'id'),
  };
}

/** Returns what a person must settle about the fields of one side; `undefined` if nothing. */
export function toQuestion({ name, isEmpty, missing, unused }: Side): string | undefined {
  if (isEmpty) return `The document does not show the ${name}s: the usual names are assumed.`;
  if (missing.includes('id')) return `/answer/names/id: name the property (${unused}).`;
  if (missing.length === 0 || unused === '') return undefined;
  return `/${name}/absent has ${missing.join(', ')}. What is one of the others (${unused}) must be named in /${name}/names.`;
}

type Body = ReturnType<typeof toBody>;

/** Finds the fields in a body, but no `readOnly` ones, and the members beside them. */
export function toBody(operation: Operation | undefined) {
  const { pointer, schema } = findStudy(operation?.body);
  const { properties, required } = toShape(schema);
  const outer = pointer.slice(0, pointer.lastIndexOf('/'));
  const around = toPlaces(operation?.body).find((place) => place.pointer === outer)?.schema;
  const isWritable = ([, part]: [string, unknown]): boolean => toShape(part)['readOnly'] !== true;
  return {
    at: pointer || undefined,
    outer,
    beside: pointer === '' ? {} : toShape(around).properties,
    properties: Object.fromEntries(Object.entries(properties).filter(isWritable)),
    required: required.map(String),
  };
}

/** Returns the forms of the bodies. */
export function toRequest({ createStudy, editStudy }: Record<WriteName, Body>, side: Side) {
  const { at, outer, beside, required } = createStudy;
  const constants = Object.entries(beside).flatMap(([name, part]) => {
    const { const: only, enum: words = [only] } = toShape(part);
    const [word, ...others] = [words].flat();
    return typeof word !== 'string' || others.length > 0 ? [] : [[outer + toPointer([name]), word]];
  });
  const has = (names: readonly string[], field: FieldName): boolean =>
    names.includes(side.apiNames.get(field) ?? '');
  const toAbsent = (write: WriteName, { properties }: Body): FieldName[] => {
    const names = Object.keys(properties);
    return names.length > 0 ? requestNames[write].filter((field) => !has(names, field)) : [];
  };
  return {
    at,
    id: 'id' in editStudy.beside ? `${editStudy.outer}/id` : undefined,
    constants: Object.fromEntries(constants),
    ...toNames(side),
    // An edit changes what it names, whatever a document requires of it.
    required: { createStudy: requestNames.createStudy.filter((field) => has(required, field)) },
    absent: {
      createStudy: toAbsent('createStudy', createStudy),
      editStudy: toAbsent('editStudy', editStudy),
    },
  };
}
