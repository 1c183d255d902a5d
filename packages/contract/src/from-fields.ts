import { toPointer, type JsonObject } from './json.js';
import { findName, findStudy, toPlaces, toShape, type FoundOperation } from './openapi.js';
import { requestNames, toApiName, type FieldName, type WriteName } from './study-fields.js';

/** The fields of requests or of answers, and their names in the API as far as they are found. */
type Side = ReturnType<typeof toSide>;

/** Matches fields by their names. */
export function toSide(
  name: 'request' | 'answer',
  fields: readonly FieldName[],
  properties: JsonObject,
) {
  const found = new Map<FieldName, string>();
  for (const field of fields) {
    const apiName = findName([field], Object.keys(properties));
    if (apiName !== undefined) found.set(field, apiName);
  }
  const names = Object.keys(properties);
  return {
    name,
    fields,
    properties,
    found,
    toUnused: () => names.filter((name) => ![...found.values()].includes(name)),
    toMissing: () => fields.filter((field) => !found.has(field)),
  };
}

/** Returns how one side names its fields, and which ones it lacks. */
export function toNames({ properties, found, toMissing }: Side) {
  if (Object.keys(properties).length === 0) return {};
  const isSnake = [...found.values()].some((name) => /[a-z]_/.test(name));
  const naming = isSnake ? 'snake_case' : 'camelCase';
  const own = [...found].filter(
    ([field, name]) => toApiName({ naming, names: {} }, field) !== name,
  );
  const missing = toMissing();
  return {
    naming: isSnake ? naming : undefined,
    names: Object.fromEntries(missing.includes('id') ? [...own, ['id', '']] : own),
    absent: missing.filter((field) => field !== 'id'),
  };
}

/** Returns what a person must settle about the fields of one side. */
export function toQuestions({ name, properties, toUnused, toMissing }: Side): string[] {
  const unused = toUnused().join(', ');
  const missing = toMissing();
  if (Object.keys(properties).length === 0)
    return [`The document does not show the ${name}s: the usual names are assumed.`];
  if (missing.includes('id')) return [`/answer/names/id: name the property (${unused}).`];
  if (missing.length === 0 || unused === '') return [];
  return [
    `/${name}/absent has ${missing.join(', ')}. What is one of the others (${unused}) must be named in /${name}/names.`,
  ];
}

type Body = ReturnType<typeof toBody>;

/** Finds the fields in a body, but no `readOnly` ones, and the members beside them. */
export function toBody(operation: FoundOperation | undefined) {
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
export function toRequest(bodies: Readonly<Record<WriteName, Body>>, sent: Side) {
  const { at, outer, beside, required } = bodies.createStudy;
  const constants = Object.entries(beside).flatMap(([name, part]) => {
    const { const: only, enum: words = [only] } = toShape(part);
    const [word, ...others] = [words].flat();
    return typeof word !== 'string' || others.length > 0 ? [] : [[outer + toPointer([name]), word]];
  });
  const { naming, names } = toNames(sent);
  const toAbsent = (write: WriteName): FieldName[] => {
    const shown = Object.keys(bodies[write].properties);
    const has = (field: FieldName) => shown.includes(sent.found.get(field) ?? '');
    return shown.length > 0 ? requestNames[write].filter((field) => !has(field)) : [];
  };
  return {
    at,
    id: 'id' in bodies.editStudy.beside ? `${bodies.editStudy.outer}/id` : undefined,
    constants: Object.fromEntries(constants),
    naming,
    names,
    // An edit changes what it names, whatever a document requires of it.
    required: {
      createStudy: sent.fields.filter((field) => required.includes(sent.found.get(field) ?? '')),
    },
    absent: { createStudy: toAbsent('createStudy'), editStudy: toAbsent('editStudy') },
  };
}
