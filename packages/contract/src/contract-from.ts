import type { ContractFile } from './contract.js';
import {
  findNaming,
  matchByName,
  matchStudies,
  toOtherKind,
  type Match,
  type Names,
} from './match-names.js';
import { foldName } from './nearest-name.js';
import { toListRules, type Notes } from './openapi-list.js';
import { findOperations, findStudy, toBase, type FoundOperations } from './openapi-operations.js';
import { compact, isObject, toShape, type JsonObject } from './openapi-schema.js';
import {
  absentable,
  namings,
  progressParts,
  progressPrefix,
  requestNames,
  type FieldName,
  type OperationName,
  type WriteName,
} from './study-fields.js';

/** What a document says of an API. */
export interface Reading extends Readonly<Notes> {
  /** Says what differs from what is assumed. What cannot be known is empty. */
  readonly contract: ContractFile;
  /** Value for the variable STUDY_API_URL; a path if the document says no more. */
  readonly baseUrl: string;
}

const writes: readonly WriteName[] = ['createStudy', 'editStudy'];

/**
 * Returns the contract that an OpenAPI document shows.
 *
 * @param document references are resolved
 * @param url address that the document was read from; `undefined` for a file
 */
export function contractFrom(document: JsonObject, url?: URL): Reading {
  const notes: Notes = { matched: [], open: [] };
  const found = findOperations(document);
  const prefix = toPrefix(found);
  const { at, study } = findAnswer(found, notes);
  const answered = toShape(study).properties;
  const bodies = writes.map((write) => toShape(found[write]?.body).properties);
  const sent: JsonObject = Object.assign({}, ...bodies);
  const [inRequest, inAnswer] = matchStudies(sent, answered);

  const { names, naming, absent } = toNaming('answer', inAnswer, answered, notes);
  const answer = study === undefined ? { naming: '' } : { naming, names, absent };
  const hasBody = Object.keys(sent).length > 0;
  const contract = compact({
    request: hasBody ? toRequest(found, inRequest, sent, notes) : undefined,
    answer: compact({ at: at || undefined, ...answer }),
    operations: toOperations(found, prefix, notes),
    verdicts: at ? toVerdicts(found) : undefined,
    keys: toKeys(found),
  });
  return { ...notes, contract: contract ?? {}, baseUrl: toBaseUrl(document, url, prefix) };
}

/** Finds the study in the answers to single studies. */
function findAnswer(found: FoundOperations, { open }: Notes): { at: string; study: unknown } {
  const places = (['createStudy', 'study', 'editStudy'] as const).flatMap((operation) => {
    const { answer } = found[operation] ?? {};
    const place = findStudy(answer);
    const hasFields = Object.keys(toShape(place.schema).properties).length > 0;
    return hasFields ? { operation, ...place } : [];
  });
  const [first] = places;
  if (!first) {
    open.push('/answer/naming: the document does not show the answer to createStudy.');
    return { at: '', study: undefined };
  }
  for (const { operation, pointer } of places)
    if (pointer !== first.pointer)
      open.push(
        `/answer/at: the study is at "${pointer}" in the answer to ${operation}, and at "${first.pointer}" in the answer to ${first.operation}. The gateway looks at one place.`,
      );
  return { at: first.pointer, study: first.schema };
}

/** Returns how one side names the fields. An answer that lacks a field that must be there leaves its name open. */
function toNaming(
  side: 'request' | 'answer',
  { found, candidates, unused }: Names,
  properties: JsonObject,
  { matched, open }: Notes,
) {
  const progress = toShape(properties[found.get('progress')?.name ?? '']).properties;
  const parts = matchByName(progressParts, Object.keys(progress));
  const all = new Map<string, Match>([...found, ...parts]);
  const naming = findNaming(all);
  const names: Record<string, string> = {};
  for (const [field, { name }] of all)
    if (namings[naming](field) !== name)
      names[parts.has(field as never) ? progressPrefix + field : field] = name;

  const absent: FieldName[] = [];
  for (const [field, left] of candidates) {
    const isAbsentable = side === 'request' || absentable.includes(field);
    if (left.length === 0 && isAbsentable) absent.push(field);
    else {
      names[field] = '';
      const choice = left.length > 0 ? `one of ${left.join(', ')}` : 'no property is left for it';
      const other = isAbsentable ? `, or put "${field}" into "absent"` : '';
      open.push(`/${side}/names/${field}: name the property (${choice})${other}.`);
    }
  }
  const isOpenPart = Object.keys(progress).length > parts.size;
  for (const part of progressParts)
    if (isOpenPart && !parts.has(part)) {
      names[progressPrefix + part] = '';
      const choice = Object.keys(progress).join(', ');
      open.push(`/${side}/names/progress.${part}: name the property (one of ${choice}).`);
    }

  const count = (by: Match['by']): number =>
    [...found.values()].filter((match) => match.by === by).length;
  matched.push(
    `${side}: ${count('name')} fields by name, ${count('case')} by case, ${count('type')} by type`,
  );
  for (const [field, { name, by }] of found) {
    if (by === 'type') matched.push(`${side}: ${field} is "${name}", by its type: check this`);
    const kind = toOtherKind(field, properties[name]);
    if (kind) matched.push(`${side}: "${name}" is of the type ${kind}, which ${field} cannot be`);
  }
  if (unused.length > 0) matched.push(`${side}: not used: ${unused.join(', ')}`);
  return { names: compact(names), naming: naming === 'camelCase' ? undefined : naming, absent };
}

function toRequest(found: FoundOperations, names: Names, sent: JsonObject, notes: Notes) {
  const { absent, ...naming } = toNaming('request', names, sent, notes);
  const required: Partial<Record<WriteName, FieldName[]>> = {};
  const notTaken: Partial<Record<WriteName, FieldName[]>> = {};
  for (const write of writes) {
    const shape = toShape(found[write]?.body);
    if (Object.keys(shape.properties).length === 0) continue;
    const toName = (field: FieldName): string => names.found.get(field)?.name ?? '';
    const fields = requestNames[write];
    required[write] = fields.filter((field) => shape.required.includes(toName(field)));
    notTaken[write] = fields.filter((field) =>
      names.found.has(field)
        ? !Object.hasOwn(shape.properties, toName(field))
        : absent.includes(field),
    );
    for (const name of shape.required)
      if (!fields.some((field) => toName(field) === name))
        notes.open.push(`${write} demands "${name}", and the gateway has no field for it so far.`);
  }
  return compact({ ...naming, required: compact(required), absent: compact(notTaken) });
}

const assumedPaths = {
  study: '/studies/{}',
  studies: '/studies',
  createStudy: '/studies',
  editStudy: '/studies/{}',
};

function toOperations(found: FoundOperations, prefix: string, notes: Notes) {
  const operations = Object.entries(assumedPaths).map(([key, assumed]) => {
    const name = key as OperationName;
    const operation = found[name];
    if (!operation && name === 'createStudy') {
      notes.open.push('/operations/createStudy/path: the document shows no POST of a study.');
      return [name, { path: '' }] as const;
    }
    if (!operation) {
      const put = name === 'editStudy' ? ' A PUT replaces the whole study, and is not used.' : '';
      notes.matched.push(`${name}: the document has no such operation.${put}`);
      return [name, false] as const;
    }
    const path = operation.path.slice(prefix.length);
    const differs = path.replace(/\{[^{}]*\}/, '{}') !== assumed;
    notes.matched.push(`${name}: ${operation.method} ${operation.path}`);
    const rules = name === 'studies' ? toListRules(operation, notes) : {};
    return [name, compact({ path: differs ? toPlain(path) : undefined, ...rules })] as const;
  });
  return compact(Object.fromEntries(operations));
}

/** Returns a path whose placeholder has a name of letters only. */
function toPlain(path: string): string {
  return path.replace(/\{[^{}]*\}/, '{id}');
}

/** Returns the path in front of the paths of all operations, which belongs into STUDY_API_URL. */
function toPrefix(found: FoundOperations): string {
  const paths = Object.values(found).map(({ path }) => path);
  const base = toBase((found.createStudy ?? found.studies)?.path) ?? '';
  const prefix = base.slice(0, Math.max(0, base.lastIndexOf('/')));
  return paths.every((path) => path.startsWith(`${prefix}/`)) ? prefix : '';
}

/** Finds the flag beside a study that is around it: an API with one may refuse in an answer of 200. */
function toVerdicts({ createStudy }: FoundOperations) {
  const { properties } = toShape(createStudy?.answer);
  const flag = Object.keys(properties).find(
    (name) =>
      ['ok', 'success', 'succeeded', 'issuccess'].includes(foldName(name)) &&
      toShape(properties[name]).type === 'boolean',
  );
  return flag && { success: { [`/${flag}`]: true } };
}

function toKeys({ createStudy }: FoundOperations) {
  const header = createStudy?.parameters.find(
    ({ in: place, name }) => place === 'header' && /idempotency/i.test(String(name)),
  );
  return header && { header: String(header['name']) };
}

function toBaseUrl({ servers }: JsonObject, url: URL | undefined, prefix: string): string {
  const [server] = [servers].flat().filter(isObject);
  const variables = isObject(server?.['variables']) ? server['variables'] : {};
  const path = String(server?.['url'] ?? '/').replaceAll(/\{([^{}]+)\}/g, (_, name: string) => {
    const variable = variables[name];
    return isObject(variable) ? String(variable['default']) : '';
  });
  const base = URL.parse(path, url)?.href ?? path;
  return base.replace(/\/$/, '') + prefix;
}
