import { assumed, toApiName, type ContractFile } from './contract.js';
import { isObject, toObject, type JsonObject } from './json.js';
import { Side } from './match-names.js';
import { toListRules } from './openapi-list.js';
import { findOperations, findStudy, toBase, type FoundOperations } from './openapi-operations.js';
import { fits, merge, toKind, toShape } from './openapi-schema.js';
import {
  absentable,
  answerNames,
  foldName,
  namings,
  partNames,
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
export interface Reading {
  readonly matched: string[];
  /** Sentences about the values that a person must fill in. */
  readonly open: string[];
  /** Says what differs from what is assumed. What cannot be known is empty. */
  readonly contract: ContractFile;
  /** Value for the variable STUDY_API_URL; a path if the document says no more. */
  readonly baseUrl: string;
}

type Notes = Pick<Reading, 'matched' | 'open'>;
type Fields = Side<FieldName>;

/**
 * Returns the contract that an OpenAPI document shows.
 *
 * @param document references are resolved
 * @param url address that the document was read from; `undefined` for a file
 */
export function contractFrom(document: JsonObject, url?: URL): Reading {
  const notes: Notes = { matched: [], open: [] };
  const found = findOperations(document);
  const base = toBase((found.createStudy ?? found.studies)?.path);
  const prefix = base.slice(0, base.lastIndexOf('/'));
  const { at, study } = findAnswer(found, notes);
  const bodies = writes.map((write) => toShape(found[write]?.body).properties);
  const { sent, shown } = matchStudies(merge(bodies), toShape(study).properties);
  const answer = study ? { at, ...toNaming(shown, notes) } : { naming: '' };
  const contract = compact({
    request: Object.keys(sent.properties).length > 0 ? toRequest(found, sent, notes) : {},
    answer,
    operations: toOperations(found, prefix, notes),
    keys: toKeyRules(found),
  });
  return { ...notes, contract, baseUrl: toBaseUrl(document, url) + prefix };
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

/**
 * Matches properties with fields: by name, by case and by type. A match by type needs the only property of this type, and
 * a field that is in requests too or must be in answers: any other property may be one of the API's own.
 */
function matchStudies(request: JsonObject, answer: JsonObject): Record<'sent' | 'shown', Fields> {
  const toKinds = (field: FieldName): [Kind] => [studyFields[field].kind];
  const sent = new Side('/request/names', requestNames.createStudy, request, toKinds);
  const shown = new Side('/answer/names', answerNames, answer, toKinds);
  for (const field of shown.missing) {
    const name = shown.findOnly(field);
    if (name === undefined) continue;
    if (sent.names.includes(field)) {
      if (sent.findOnly(field) !== name) continue;
      sent.found.set(field, name);
    } else if (studyFields[field].answer !== 'value' || Object.hasOwn(request, name)) continue;
    shown.found.set(field, name);
  }
  return { sent, shown };
}

/** Finds the study in the answers to single studies. */
function findAnswer(found: FoundOperations, { open }: Notes) {
  const places = (['createStudy', 'study', 'editStudy'] as const)
    .map((operation) => findStudy(found[operation]?.answer))
    .filter(({ schema }) => Object.keys(toShape(schema).properties).length > 0);
  const pointers = new Set(places.map(({ pointer }) => `"${pointer}"`));
  if (pointers.size === 0)
    open.push('/answer/naming: the document does not show the answer to createStudy.');
  if (pointers.size > 1) {
    const all = [...pointers].join(' and ');
    open.push(
      `/answer/at: the answers have a study at ${all}, and the gateway looks at one place.`,
    );
  }
  const [first] = places;
  return { at: first?.pointer || undefined, study: first?.schema };
}

/** Returns how one side names its fields, and which ones it lacks. */
function toNaming(side: Fields, { matched, open }: Notes) {
  const { properties, found, unused } = side;
  const place = side.names.includes('id') ? 'answer' : 'request';
  const progress = toShape(properties[found.get('progress') ?? '']).properties;
  const hasParts = Object.keys(progress).length > 0;
  const parts = new Side(side.place, hasParts ? partNames : [], progress, () => ['integer']);
  const naming = findNaming([...found, ...parts.found]);
  const toUsual = (name: string): string => toApiName({ naming, names: {} }, name);
  const isAbsentable = (field: FieldName): boolean =>
    place === 'request' || absentable.includes(field);
  const { names, absent } = side.settle(toUsual, isAbsentable, open);
  const ofParts = parts.settle(toUsual, () => false, open);

  const toWay = (field: string, name: string): string => {
    if (field === name) return 'name';
    return foldName(field) === foldName(name) ? 'case' : 'type';
  };
  const ways = [...found].map(([field, name]) => toWay(field, name));
  const counts = ['name', 'case', 'type'].map(
    (way) => `${ways.filter((other) => other === way).length} by ${way}`,
  );
  matched.push(`${place}: ${counts.join(', ')}`);
  for (const [field, name] of found) {
    const kind = toKind(properties[name]);
    if (toWay(field, name) === 'type')
      matched.push(`${place}: ${field} is "${name}" by its type: check this`);
    else if (!fits(studyFields[field].kind, kind))
      matched.push(`${place}: ${field} is "${name}", of another type than is assumed (${kind})`);
  }
  if (unused.length > 0) matched.push(`${place}: not used: ${unused.join(', ')}`);
  return {
    naming: naming === 'camelCase' ? undefined : naming,
    names: { ...names, ...ofParts.names },
    absent,
  };
}

/** Returns the rule that makes the most of the API's names. */
function findNaming(found: readonly (readonly [name: string, apiName: string])[]): Naming {
  const toCount = (naming: Naming): number =>
    found.filter(([name, apiName]) => toApiName({ naming, names: {} }, name) === apiName).length;
  return toKeys(namings).toSorted((one, other) => toCount(other) - toCount(one))[0]!;
}

function toRequest(found: FoundOperations, sent: Fields, { matched, open }: Notes) {
  const { names, naming } = toNaming(sent, { matched, open });
  const required: Record<string, FieldName[]> = {};
  const absent: Record<string, FieldName[]> = {};
  for (const write of writes) {
    const shape = toShape(found[write]?.body);
    if (Object.keys(shape.properties).length === 0) continue;
    const toName = (field: FieldName): string => sent.found.get(field) ?? '';
    const fields = requestNames[write];
    required[write] = fields.filter((field) => shape.required.includes(toName(field)));
    absent[write] = fields.filter(
      (field) => names[field] !== '' && !Object.hasOwn(shape.properties, toName(field)),
    );
    const known = new Set<unknown>(fields.map(toName));
    for (const name of shape.required.filter((name) => !known.has(name)))
      open.push(`${write} demands "${String(name)}", and the gateway has no field for it so far.`);
  }
  return { naming, names, required, absent };
}

function toOperations(found: FoundOperations, prefix: string, notes: Notes): JsonObject {
  const { matched, open } = notes;
  const toRules = (name: OperationName): JsonObject | false => {
    const operation = found[name];
    if (!operation && name === 'createStudy') {
      open.push('/operations/createStudy/path: the document shows no POST of a study.');
      return { path: '' };
    }
    if (!operation) {
      matched.push(`${name}: the document has no such operation`);
      return false;
    }
    matched.push(`${name}: ${operation.method} ${operation.path}`);
    const path = operation.path.slice(prefix.length).replace(/\{[^{}]*\}/, '{id}');
    const isUsual =
      path === (name === 'study' || name === 'editStudy' ? '/studies/{id}' : '/studies');
    const rules = name === 'studies' ? toListRules(operation, open) : {};
    return { ...rules, path: isUsual ? undefined : path };
  };
  const { operations } = assumed;
  return Object.fromEntries(toKeys(operations).map((name) => [name, toRules(name)]));
}

function toKeyRules({ createStudy }: FoundOperations): JsonObject | undefined {
  const header = createStudy?.parameters.find(
    ({ in: place, name }) => place === 'header' && /idempotency/i.test(String(name)),
  );
  return header && { header: String(header['name']) };
}

function toBaseUrl({ servers }: JsonObject, url: URL | undefined): string {
  const { url: server = '/' } = toObject([servers].flat()[0]);
  return (URL.parse(String(server), url)?.href ?? String(server)).replace(/\/$/, '');
}
