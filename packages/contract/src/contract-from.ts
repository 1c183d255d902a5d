import type { ContractFile } from './contract.js';
import { findNaming, matchByName, matchStudies, type Match, type Side } from './match-names.js';
import { toListRules, type Notes } from './openapi-list.js';
import { findOperations, findStudy, toBase, type FoundOperations } from './openapi-operations.js';
import {
  compact,
  fits,
  isObject,
  merge,
  toKind,
  toShape,
  type JsonObject,
} from './openapi-schema.js';
import {
  absentable,
  namings,
  progressParts,
  progressPrefix,
  requestNames,
  studyFields,
  toKeys,
  writes,
  type FieldName,
  type OperationName,
} from './study-fields.js';

/** What a document says of an API. */
export interface Reading extends Notes {
  /** Says what differs from what is assumed. What cannot be known is empty. */
  readonly contract: ContractFile;
  /** Value for the variable STUDY_API_URL; a path if the document says no more. */
  readonly baseUrl: string;
}

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
  const [sent, shown] = matchStudies(merge(bodies), toShape(study).properties);
  const { names, naming } = study ? toNaming('answer', shown, notes) : { naming: '' };
  const absent = shown.missing.filter((field) => study && names?.[field] === undefined);
  const contract = compact({
    request: sent.found.size + sent.unused.length > 0 ? toRequest(found, sent, notes) : undefined,
    answer: compact({ at: at || undefined, naming, names, absent }),
    operations: toOperations(found, prefix, notes),
    keys: toKeyRules(found),
  });
  return { ...notes, contract: contract ?? {}, baseUrl: toBaseUrl(document, url) + prefix };
}

/** Finds the study in the answers to single studies. */
function findAnswer(found: FoundOperations, { open }: Notes): { at: string; study?: unknown } {
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
  return { at: places[0]?.pointer ?? '', study: places[0]?.schema };
}

/** Returns how one side names its fields. The name of a field is empty if a person must tell it. */
function toNaming(place: 'request' | 'answer', side: Side, { matched, open }: Notes) {
  const progress = toShape(side.properties[side.found.get('progress')?.name ?? '']).properties;
  const parts = matchByName(progressParts, progress);
  const naming = findNaming(new Map<string, Match>([...side.found, ...parts]));
  const names: Partial<Record<string, string>> = {};
  const ask = (field: string, choice: readonly string[], isAbsentable: boolean): void => {
    names[field] = '';
    const properties = choice.length > 0 ? choice.join(', ') : 'none is left';
    const other = isAbsentable ? `, or put "${field}" into "absent"` : '';
    open.push(`/${place}/names/${field}: name the property (${properties})${other}.`);
  };

  for (const [field, { name }] of side.found)
    if (namings[naming](field) !== name) names[field] = name;
  for (const field of side.missing) {
    const isAbsentable = place === 'request' || absentable.includes(field);
    const candidates = side.findCandidates(field);
    if (candidates.length > 0 || !isAbsentable) ask(field, candidates, isAbsentable);
  }
  for (const part of progressParts) {
    const name = parts.get(part)?.name;
    if (name !== undefined && namings[naming](part) !== name) names[progressPrefix + part] = name;
    if (name === undefined && Object.keys(progress).length > 0)
      ask(progressPrefix + part, Object.keys(progress), false);
  }

  const by = [...side.found.values()].map((match) => match.by);
  const counts = (['name', 'case', 'type'] as const).map(
    (way) => `${by.filter((other) => other === way).length} by ${way}`,
  );
  matched.push(`${place}: ${counts.join(', ')}`);
  for (const [field, { name, by }] of side.found) {
    if (by === 'type') matched.push(`${place}: ${field} is "${name}" by its type: check this`);
    const kind = toKind(side.properties[name]);
    if (!fits(studyFields[field].kind, kind))
      matched.push(`${place}: ${field} is "${name}", of another type than is assumed (${kind})`);
  }
  if (side.unused.length > 0) matched.push(`${place}: not used: ${side.unused.join(', ')}`);
  return { names: compact(names), naming: naming === 'camelCase' ? undefined : naming };
}

function toRequest(found: FoundOperations, sent: Side, notes: Notes) {
  const { names, naming } = toNaming('request', sent, notes);
  const required: Record<string, FieldName[]> = {};
  const absent: Record<string, FieldName[]> = {};
  for (const write of writes) {
    const shape = toShape(found[write]?.body);
    if (Object.keys(shape.properties).length === 0) continue;
    const toName = (field: FieldName): string => sent.found.get(field)?.name ?? '';
    const fields = requestNames[write];
    required[write] = fields.filter((field) => shape.required.includes(toName(field)));
    absent[write] = fields.filter(
      (field) => names?.[field] !== '' && !Object.hasOwn(shape.properties, toName(field)),
    );
    const known = new Set<unknown>(fields.map(toName));
    for (const name of shape.required.filter((name) => !known.has(name)))
      notes.open.push(
        `${write} demands "${String(name)}", and the gateway has no field for it so far.`,
      );
  }
  return compact({ naming, names, required: compact(required), absent: compact(absent) });
}

const assumedPaths: Readonly<Record<OperationName, string>> = {
  study: '/studies/{id}',
  studies: '/studies',
  createStudy: '/studies',
  editStudy: '/studies/{id}',
};

function toOperations(found: FoundOperations, prefix: string, notes: Notes) {
  const operations = toKeys(assumedPaths).map((name) => {
    const operation = found[name];
    if (operation) {
      const path = operation.path.slice(prefix.length).replace(/\{[^{}]*\}/, '{id}');
      const rules = name === 'studies' ? toListRules(operation, notes) : {};
      notes.matched.push(`${name}: ${operation.method} ${operation.path}`);
      return [
        name,
        compact({ path: path === assumedPaths[name] ? undefined : path, ...rules }),
      ] as const;
    }
    if (name === 'createStudy') {
      notes.open.push('/operations/createStudy/path: the document shows no POST of a study.');
      return [name, { path: '' }] as const;
    }
    notes.matched.push(`${name}: the document has no such operation`);
    return [name, false] as const;
  });
  return compact(Object.fromEntries(operations));
}

function toKeyRules({ createStudy }: FoundOperations) {
  const header = createStudy?.parameters.find(
    ({ in: place, name }) => place === 'header' && /idempotency/i.test(String(name)),
  );
  return header && { header: String(header['name']) };
}

function toBaseUrl({ servers }: JsonObject, url: URL | undefined): string {
  const server = [servers].flat().find(isObject);
  const text = typeof server?.['url'] === 'string' ? server['url'] : '/';
  return (URL.parse(text, url)?.href ?? text).replace(/\/$/, '');
}
