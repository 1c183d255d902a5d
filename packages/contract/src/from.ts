import { toApiName } from './contract.js';
import { isObject, toObject, toPointer, type JsonObject } from './json.js';
import { toListRules } from './from-list.js';
import {
  findName,
  findStudy,
  toKind,
  toOperations,
  toPlaces,
  toServer,
  toShape,
  type FoundOperation,
} from './openapi.js';
import {
  answerNames,
  namings,
  requestNames,
  studyFields,
  type FieldName,
  type WriteName,
} from './study-fields.js';

/** Contract of an API, as far as its document shows it. */
export type Reading = ReturnType<typeof contractFrom>;

type Operations = Readonly<Record<'study' | 'studies' | WriteName, FoundOperation | undefined>>;

/**
 * Returns the contract that an OpenAPI document shows.
 *
 * @param document references are resolved
 * @param url address that the document was read from; `undefined` for a file
 */
export function contractFrom(document: JsonObject, url?: URL) {
  const server = toServer(document, url);
  const prefix = typeof server === 'string' ? server : decodeURI(server.pathname);
  const all = toOperations(document, prefix.replace(/\/$/, ''));
  const found = findOperations(all);
  const { at, fields, properties } = findAnswer(found);
  const bodies = { createStudy: toBody(found.createStudy), editStudy: toBody(found.editStudy) };
  const writable = { ...bodies.editStudy.properties, ...bodies.createStudy.properties };
  const sent = toSide('request', requestNames.createStudy, writable);
  const shown = toSide('answer', answerNames, properties);
  const byType = matchByType(sent, shown);
  // JSON:API has the id beside the fields.
  if (fields !== undefined) shown.found.set('id', '/id');
  const request = toRequest(bodies, sent);
  const list = found.studies && toListRules(found.studies, fields);
  const toPath = (name: keyof Operations, usual: string, rules?: JsonObject) => {
    const path = found[name]?.path;
    return path !== undefined && { path: path === usual ? undefined : path, ...rules };
  };
  const keyHeader = found.createStudy?.parameters.find(
    ({ in: place, name }) => place === 'header' && /idempotency/i.test(String(name)),
  );
  const contract = compact({
    request: request.rules,
    answer: { at, fields, ...toNames(shown) },
    operations: {
      study: toPath('study', '/studies/{id}'),
      studies: toPath('studies', '/studies', list?.rules),
      createStudy: toPath('createStudy', '/studies'),
      editStudy: toPath('editStudy', '/studies/{id}'),
    },
    keys: { header: keyHeader?.['name'] },
  });
  return {
    /** Says what differs from what is assumed. What must be known, and is not, is empty. */
    contract,
    /** Value for the variable STUDY_API_URL; `undefined` if the document does not say it. */
    baseUrl: typeof server === 'string' ? undefined : server.origin,
    /** Sentences about what a person must settle, and about what no contract can say. */
    open: [
      ...byType,
      ...request.open,
      ...[sent, shown].flatMap(toQuestions),
      ...(list?.open ?? []),
      ...toLimits(document, all, found, properties['id']),
    ],
  };
}

/** Removes members that say nothing: at any depth, those that are `undefined`, and empty objects and arrays. */
function compact(members: JsonObject): JsonObject {
  const entries = Object.entries(members)
    .map(([name, value]) => [name, isObject(value) ? compact(value) : value] as const)
    .filter(([, value]) => value !== undefined)
    .filter(([, value]) => typeof value !== 'object' || Object.keys(Object(value)).length > 0);
  return Object.fromEntries(entries);
}

/** Finds the create by its path, and the other operations beside and below it. */
function findOperations(operations: readonly FoundOperation[]): Operations {
  const createStudy = operations.find(
    ({ method, path }) => method === 'POST' && /^[^{]*\/stud(?:ies|y)\/?$/i.test(path),
  );
  const base = (createStudy?.path ?? '/studies').replace(/\/$/, '');
  const find = (method: string, path: string): FoundOperation | undefined =>
    operations.find((one) => one.method === method && one.path.replace(/\/$/, '') === path);
  return {
    study: find('GET', `${base}/{id}`),
    studies: find('GET', base),
    createStudy,
    editStudy: find('PATCH', `${base}/{id}`),
  };
}

/** Finds the study in the answers to single studies, and its fields, which JSON:API has in `attributes`. */
function findAnswer({ createStudy, study, editStudy }: Operations) {
  const answer = [createStudy, study, editStudy].map((one) => one?.answer).find(isObject);
  const { pointer, schema } = findStudy(answer);
  const [, at, fields] = /^(.*?)(\/attributes)?$/.exec(pointer) ?? [];
  return { at: at || undefined, fields, properties: toShape(schema).properties };
}

/** Finds the fields in a body, but no `readOnly` ones, and the members beside them. */
function toBody(operation: FoundOperation | undefined) {
  const { pointer, schema } = findStudy(operation?.body);
  const { properties, required } = toShape(schema);
  const outer = pointer.slice(0, pointer.lastIndexOf('/'));
  const around = toPlaces(operation?.body).find((place) => place.pointer === outer)?.schema;
  const isWritable = ([, part]: [string, unknown]): boolean => toShape(part)['readOnly'] !== true;
  return {
    at: pointer,
    outer,
    beside: pointer === '' ? {} : toShape(around).properties,
    properties: Object.fromEntries(Object.entries(properties).filter(isWritable)),
    required: required.map(String),
  };
}

type Side = ReturnType<typeof toSide>;

/** Matches the fields of requests or answers by their names. */
function toSide(name: 'request' | 'answer', fields: readonly FieldName[], properties: JsonObject) {
  /** Names of the API. */
  const found = new Map<FieldName, string>();
  for (const field of fields) {
    const apiName = findName([field], Object.keys(properties));
    if (apiName !== undefined) found.set(field, apiName);
  }
  return { name, fields, properties, found };
}

function toUnused({ properties, found }: Side): string[] {
  return Object.keys(properties).filter((name) => ![...found.values()].includes(name));
}

function toMissing({ fields, found }: Side): FieldName[] {
  return fields.filter((field) => !found.has(field));
}

/**
 * Matches the only field of a kind that has no name with the only unused property of the kind that requests and answers
 * have: any other property may be one of the API's own. Returns sentences about them.
 */
function matchByType(sent: Side, shown: Side): string[] {
  const missing = toMissing(sent).filter((field) => toMissing(shown).includes(field));
  const shared = toUnused(sent).filter((name) => toUnused(shown).includes(name));
  return missing.flatMap((field) => {
    const { kind } = studyFields[field];
    const [name, ...others] = shared.filter((name) => toKind(sent.properties[name]) === kind);
    const isOnly = missing.filter((other) => studyFields[other].kind === kind).length === 1;
    if (name === undefined || others.length > 0 || !isOnly) return [];
    for (const { found } of [sent, shown]) found.set(field, name);
    return `${field} is "${name}" by its type: check this`;
  });
}

/** Returns how one side names its fields, and which ones it lacks. */
function toNames(side: Side) {
  const { fields, properties, found } = side;
  if (Object.keys(properties).length === 0) return {};
  const count = (naming: keyof typeof namings): number =>
    fields.filter((field) => namings[naming](field) === found.get(field)).length;
  const naming = count('snake_case') > count('camelCase') ? 'snake_case' : 'camelCase';
  const own = [...found].filter(
    ([field, name]) => toApiName({ naming, names: {} }, field) !== name,
  );
  const missing = toMissing(side);
  return {
    naming: naming === 'camelCase' ? undefined : naming,
    names: Object.fromEntries(missing.includes('id') ? [...own, ['id', '']] : own),
    absent: missing.filter((field) => field !== 'id'),
  };
}

/** Returns what a person must settle about the fields of one side. */
function toQuestions(side: Side): string[] {
  const { name, properties } = side;
  const unused = toUnused(side).join(', ');
  const missing = toMissing(side);
  if (Object.keys(properties).length === 0)
    return [`The document does not show the ${name}s: the usual names are assumed.`];
  if (missing.includes('id')) return [`/answer/names/id: name the property (${unused}).`];
  if (missing.length === 0 || unused === '') return [];
  return [
    `/${name}/absent has ${missing.join(', ')}. What is one of the others (${unused}) must be named in /${name}/names.`,
  ];
}

type Body = ReturnType<typeof toBody>;

function toRequest(bodies: Readonly<Record<WriteName, Body>>, sent: Side) {
  const { at, outer, beside, properties, required } = bodies.createStudy;
  const constants = Object.entries(beside).flatMap(([name, part]) => {
    const { const: only, enum: words = [only] } = toShape(part);
    const [word, ...others] = [words].flat();
    return typeof word !== 'string' || others.length > 0 ? [] : [[outer + toPointer([name]), word]];
  });
  const { absent: _, ...names } = toNames(sent);
  const toAbsent = (write: WriteName): FieldName[] => {
    const { properties } = bodies[write];
    const has = (field: FieldName) => Object.hasOwn(properties, sent.found.get(field) ?? '');
    const isShown = Object.keys(properties).length > 0;
    return isShown ? requestNames[write].filter((field) => !has(field)) : [];
  };
  const demanded = required.filter((name) => Object.hasOwn(properties, name));
  const isDemanded = (field: FieldName): boolean => demanded.includes(sent.found.get(field) ?? '');
  const known = new Set(sent.found.values());
  return {
    rules: {
      at: at || undefined,
      id: 'id' in bodies.editStudy.beside ? `${bodies.editStudy.outer}/id` : undefined,
      constants: Object.fromEntries(constants),
      ...names,
      // An edit changes what it names, whatever a document requires of it.
      required: { createStudy: sent.fields.filter(isDemanded) },
      absent: { createStudy: toAbsent('createStudy'), editStudy: toAbsent('editStudy') },
    },
    open: demanded
      .filter((name) => !known.has(name))
      .map((name) => `createStudy demands "${name}", and the gateway has no field for it.`),
  };
}

/** Says what no contract can express, each in a sentence. */
function* toLimits(
  document: JsonObject,
  all: readonly FoundOperation[],
  { study, studies, createStudy, editStudy }: Operations,
  id: unknown,
) {
  const isInPath = (parameter: JsonObject): boolean => parameter['in'] === 'path';
  const inPath = (study ?? editStudy)?.parameters.find(isInPath)?.['schema'];
  if (toKind(id) === 'integer' || toKind(inPath) === 'integer')
    yield 'The ids of studies are numbers and no UUIDs: the gateway cannot serve this API.';
  const isPut = ({ method, path }: FoundOperation): boolean =>
    method === 'PUT' && path.startsWith(`${createStudy?.path}`);
  if (!editStudy && all.some(isPut)) yield 'The API edits by PUT, and the gateway only by PATCH.';
  if (!createStudy)
    yield all.some(({ path }) => /\}\/stud(?:ies|y)\/?$/i.test(path))
      ? 'Studies are below another resource, and a path has no placeholder but the id.'
      : 'The document has no "POST /studies": name the paths in /operations.';
  if (studies?.parameters.some(({ name }) => /cursor|after|offset|skip/i.test(String(name))))
    yield 'The API lists by offset or cursor, and the gateway only by page.';
  const { securitySchemes } = toObject(document['components']);
  const schemes = Object.values(toObject(securitySchemes)).map(toObject);
  const isBearer = ({ type, scheme }: JsonObject): boolean =>
    type === 'oauth2' || type === 'openIdConnect' || /^bearer$/i.test(String(scheme));
  if (schemes.length > 0 && !schemes.some(isBearer))
    yield 'The API takes no bearer token, and the gateway sends no other credentials.';
}
