import { toApiName, type ContractFile } from './contract.js';
import { isObject, toObject, toPointer, type JsonObject } from './json.js';
import { toListRules } from './from-list.js';
import { findStudy, match, rank, type Match, type Notes } from './match.js';
import {
  toKind,
  toOperations,
  toPlaces,
  toServer,
  toShape,
  type FoundOperation,
  type Place,
} from './openapi.js';
import {
  absentable,
  answerNames,
  foldName,
  namings,
  partNames,
  progressPrefix,
  requestNames,
  studyFields,
  toKeys,
  writes,
  type FieldName,
  type Kind,
  type Naming,
  type OperationName,
} from './study-fields.js';

/** Contract of an API, as far as its document shows it. */
export interface Reading extends Notes {
  /** Says what differs from what is assumed. What must be known, and is not, is empty. */
  readonly contract: ContractFile;
  /** Value for the variable STUDY_API_URL; `undefined` if the document does not say it. */
  readonly baseUrl: string | undefined;
}

type Found = Readonly<Record<OperationName, FoundOperation | undefined>>;

/**
 * Returns the contract that an OpenAPI document shows.
 *
 * @param document references are resolved
 * @param url address that the document was read from; `undefined` for a file
 */
export function contractFrom(document: JsonObject, url?: URL): Reading {
  const notes: Notes = { matched: [], open: [] };
  const server = toServer(document, url);
  const path = typeof server === 'string' ? server : decodeURI(server.pathname);
  const found = findOperations(toOperations(document, path.replace(/\/$/, '')));
  const place = findAnswer(found, notes);
  const bodies = { createStudy: toBody(found.createStudy), editStudy: toBody(found.editStudy) };
  const sentProperties = { ...toWritable(bodies.editStudy), ...toWritable(bodies.createStudy) };
  const { sent, shown } = matchStudies(sentProperties, place.properties);
  const contract = compact({
    request: toRequest(bodies, sent, notes),
    answer: {
      at: place.at,
      fields: place.fields,
      ...toNaming('answer', shown, notes, place.isWhole ? undefined : '/id'),
    },
    operations: toPaths(found, place.fields ?? '', notes),
    keys: toKeyRules(found),
  });
  noteIds(found, place.id, notes);
  return { ...notes, contract, baseUrl: typeof server === 'string' ? undefined : server.origin };
}

/** Removes members that say nothing: at any depth, those that are `undefined`, and empty objects and arrays. */
function compact(members: JsonObject): JsonObject {
  const entries = Object.entries(members).map(
    ([name, value]) => [name, isObject(value) ? compact(value) : value] as const,
  );
  const isSaid = (value: unknown): boolean =>
    typeof value === 'object' && value !== null
      ? Object.keys(value).length > 0
      : value !== undefined;
  return Object.fromEntries(entries.filter(([, value]) => isSaid(value)));
}

/** Minimum number of fields by which an operation is recognized whose path does not say what it is. */
const MIN_KNOWN = 4;

/** Finds the operations that look most like those of studies: by their usual paths, else by names in their schemas. */
function findOperations(operations: readonly FoundOperation[]): Found {
  const find = (
    method: string,
    isPossible: (path: string) => boolean,
    usual: RegExp,
    toSchema: (operation: FoundOperation) => unknown,
  ): FoundOperation | undefined => {
    const toRank = (one: FoundOperation): number =>
      rank(findStudy(toSchema(one)).schema) + (usual.test(one.path) ? answerNames.length : 0);
    const possible = operations.filter((one) => one.method === method && isPossible(one.path));
    const [best] = possible.toSorted((one, other) => toRank(other) - toRank(one));
    return best && toRank(best) >= MIN_KNOWN ? best : undefined;
  };
  const isOfAll = (path: string): boolean => !path.includes('{');
  const createStudy = find('POST', isOfAll, /\/stud(?:ies|y)\/?$/i, ({ body }) => body);
  const base = toBase(createStudy?.path);
  const isOfOne = (path: string): boolean =>
    path.startsWith(`${base}/`) && path.split('{').length === 2;
  return {
    createStudy,
    editStudy: find('PATCH', isOfOne, /\}\/?$/, ({ body }) => body),
    study: find('GET', isOfOne, /\}\/?$/, ({ answer }) => answer),
    studies: operations.find(
      ({ method, path }) => method === 'GET' && path.replace(/\/$/, '') === base,
    ),
  };
}

/** Returns the path of the list that the path of a create belongs to: `/studies` for `/studies/create`. */
function toBase(path = '/studies'): string {
  return /^.*\/stud(?:ies|y)(?=\/|$)/i.exec(path)?.[0] ?? path.replace(/\/$/, '');
}

/** Finds the study in the answers to single studies, and its fields: JSON:API has them beside the id. */
function findAnswer(found: Found, { open }: Notes) {
  const answers = [found.createStudy, found.study, found.editStudy].map((one) => one?.answer);
  const places = answers.map(findStudy).filter(({ schema }) => isObject(schema));
  const pointers = new Set(places.map(({ pointer }) => `"${pointer}"`));
  if (pointers.size === 0)
    open.push('The document does not show the answer to a create: the usual names are assumed.');
  if (pointers.size > 1)
    open.push(
      `/answer/at: the answers have a study at ${[...pointers].join(' and ')}, and the gateway looks at one place.`,
    );
  const [{ pointer, schema } = { pointer: '', schema: undefined }] = places;
  const { properties } = toShape(schema);
  const outer = pointer.slice(0, pointer.lastIndexOf('/'));
  const around = toPlaces(answers.find(isObject)).find((place) => place.pointer === outer);
  const id = toShape(around?.schema).properties['id'];
  const isWhole = pointer === '' || Object.hasOwn(properties, 'id') || id === undefined;
  return isWhole
    ? { at: pointer || undefined, properties, isWhole, id: properties['id'] }
    : {
        at: outer || undefined,
        fields: pointer.slice(outer.length),
        properties: { ...properties, id },
        isWhole,
        id,
      };
}

interface Body {
  readonly at: string;
  readonly schema: unknown;
  /** The schema around the fields, and its place. */
  readonly outer: readonly Place[];
}

function toBody(operation: FoundOperation | undefined): Body {
  const { pointer, schema } = findStudy(operation?.body);
  const outer = toPlaces(operation?.body).filter((place) =>
    pointer.startsWith(`${place.pointer}/`),
  );
  return { at: pointer, schema, outer };
}

/** Returns the properties of a body that are no `readOnly` ones. */
function toWritable({ schema }: Body): JsonObject {
  const all = Object.entries(toShape(schema).properties);
  return Object.fromEntries(all.filter(([, part]) => toShape(part)['readOnly'] !== true));
}

/**
 * Matches properties with fields: by name, by case and by type. A match by type needs the only property of this type, and
 * a field that is in requests too or must be in answers: any other property may be one of the API's own.
 */
function matchStudies(request: JsonObject, answer: JsonObject) {
  const toKinds = (field: FieldName): [Kind] => [studyFields[field].kind];
  const sent = match(requestNames.createStudy, request, toKinds);
  const shown = match(answerNames, answer, toKinds);
  for (const field of shown.missing()) {
    const name = shown.findOnly(field);
    if (name === undefined) continue;
    if (requestNames.createStudy.includes(field)) {
      if (sent.findOnly(field) !== name) continue;
      sent.found.set(field, name);
    } else if (studyFields[field].answer !== 'value' || Object.hasOwn(request, name)) continue;
    shown.found.set(field, name);
  }
  return { sent, shown };
}

/** Returns how one side names its fields, and which ones it lacks. */
function toNaming(
  side: 'request' | 'answer',
  fields: Match<FieldName>,
  { matched, open }: Notes,
  id?: string,
) {
  const { properties, found } = fields;
  if (Object.keys(properties).length === 0) return {};
  const progress = toShape(properties[found.get('progress') ?? '']).properties;
  const parts = match(
    Object.keys(progress).length > 0 ? partNames : [],
    progress,
    () => ['integer'],
    (part) => [part.replace(progressPrefix, '')],
  );
  const all = [...found, ...parts.found];
  const naming = findNaming(all);
  const names: Record<string, string> = {};
  for (const [field, name] of all)
    if (name !== toApiName({ naming, names: {} }, field)) names[field] = name;
  if (id !== undefined) names['id'] = id;
  const toWay = (field: string, name: string): string => {
    const own = field.replace(progressPrefix, '');
    if (own === name) return 'name';
    return foldName(own) === foldName(name) ? 'case' : 'type';
  };
  const ways = all.map(([field, name]) => toWay(field, name));
  const counts = ['name', 'case', 'type'].map(
    (way) => `${ways.filter((other) => other === way).length} by ${way}`,
  );
  matched.push(`${side}: ${counts.join(', ')}`);
  for (const [field, name] of all)
    if (toWay(field, name) === 'type')
      matched.push(`${side}: ${field} is "${name}" by its type: check this`);

  const candidates = (field: FieldName): string => fields.candidates(field).join(', ');
  for (const field of fields.missing()) {
    const choice = candidates(field);
    if (field === 'id' && choice !== '') {
      names['id'] = '';
      open.push(`/answer/names/id: name the property (${choice}).`);
    } else if (choice !== '')
      open.push(
        `/${side}/absent has ${field}. If it is one of the others (${choice}), name it in /${side}/names.`,
      );
  }
  const unused = fields.unused();
  if (unused.length > 0) matched.push(`${side}: not used: ${unused.join(', ')}`);
  const isAbsent = (field: FieldName): boolean => absentable.includes(field);
  return {
    naming: naming === 'camelCase' ? undefined : naming,
    names,
    absent: side === 'answer' ? fields.missing().filter(isAbsent) : undefined,
  };
}

/** Returns the rule that makes the most of the API's names. */
function findNaming(found: readonly (readonly [name: string, apiName: string])[]): Naming {
  const toCount = (naming: Naming): number =>
    found.filter(([name, apiName]) => toApiName({ naming, names: {} }, name) === apiName).length;
  return toKeys(namings).toSorted((one, other) => toCount(other) - toCount(one))[0]!;
}

function toRequest(
  bodies: Record<(typeof writes)[number], Body>,
  sent: Match<FieldName>,
  notes: Notes,
) {
  const { open } = notes;
  const { at, outer } = bodies.createStudy;
  if (Object.keys(sent.properties).length === 0) {
    open.push('The document does not show the body of a create: the usual names are assumed.');
    return {};
  }
  const constants = outer.flatMap(({ pointer, schema }) =>
    Object.entries(toShape(schema).properties).flatMap(([name, part]) => {
      const { const: only, enum: words = [only] } = toShape(part);
      const [word, ...others] = [words].flat();
      return word === undefined || others.length > 0 ? [] : [[pointer + toPointer([name]), word]];
    }),
  );
  const absent: Record<string, FieldName[]> = {};
  const required: FieldName[] = [];
  for (const write of writes) {
    const properties = toWritable(bodies[write]);
    if (Object.keys(properties).length === 0) continue;
    const has = (field: FieldName): boolean =>
      Object.hasOwn(properties, sent.found.get(field) ?? '');
    absent[write] = requestNames[write].filter((field) => !has(field));
    // An edit changes what it names, whatever a document requires of it.
    if (write === 'editStudy') continue;
    const demanded = toShape(bodies[write].schema).required.filter(
      (name) => typeof name === 'string' && Object.hasOwn(properties, name),
    );
    required.push(
      ...requestNames[write].filter((field) => demanded.includes(sent.found.get(field))),
    );
    const known = new Set<unknown>(sent.found.values());
    for (const name of demanded.filter((name) => !known.has(name)))
      open.push(`createStudy demands "${String(name)}", and the gateway has no field for it.`);
  }
  const idPlace = bodies.editStudy.outer.find(({ schema }) =>
    Object.hasOwn(toShape(schema).properties, 'id'),
  );
  return {
    at: at || undefined,
    id: idPlace && `${idPlace.pointer}/id`,
    constants: Object.fromEntries(constants),
    ...toNaming('request', sent, notes),
    required: { createStudy: required },
    absent,
  };
}

function toPaths(found: Found, fields: string, { matched, open }: Notes): JsonObject {
  const toRules = (name: OperationName): JsonObject | false => {
    const operation = found[name];
    if (!operation) {
      matched.push(`${name}: the document has no such operation`);
      return false;
    }
    matched.push(`${name}: ${operation.method} ${operation.path}`);
    const path = operation.path.replace(/\{[^{}]*\}/, '{id}');
    const isUsual =
      path === (name === 'study' || name === 'editStudy' ? '/studies/{id}' : '/studies');
    const rules = name === 'studies' ? toListRules(operation, fields, { matched, open }) : {};
    return { path: isUsual ? undefined : path, ...rules };
  };
  return Object.fromEntries(
    (['study', 'studies', 'createStudy', 'editStudy'] as const).map((name) => [
      name,
      toRules(name),
    ]),
  );
}

function toKeyRules({ createStudy }: Found): JsonObject | undefined {
  const header = createStudy?.parameters.find(
    ({ in: place, name }) => place === 'header' && /idempotency/i.test(String(name)),
  );
  return header && { header: String(header['name']) };
}

/** Says what no contract can express of the ids. */
function noteIds({ study, editStudy }: Found, answered: unknown, { open }: Notes): void {
  const one = study ?? editStudy;
  const inPath = one?.parameters.find((parameter) => parameter['in'] === 'path');
  const types = [answered, toObject(inPath)['schema']].map((schema) => toKind(schema));
  if (types.includes('integer'))
    open.push('The ids of studies are numbers and no UUIDs: the gateway cannot serve this API.');
}
