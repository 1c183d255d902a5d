import type { Contract } from 'study-gateway-contract';
import {
  fieldNames,
  fields,
  findFault,
  fold,
  isObject,
  isPlainName,
  namingRules,
  progressParts,
  readAt,
  toApiName,
  toPlaces,
  UUID,
  type FieldName,
  type JsonObject,
  type Names,
  type Naming,
} from './fields.js';

/** Values that were sent, by GraphQL names. Nothing else has these values, but for `bookmarked`. */
export type Sent = Readonly<Partial<Record<FieldName, unknown>>>;

/** What answers show of the names in a study. */
export interface Learned {
  /** Names of the API by GraphQL names. A part of a progress is `progress.total`. */
  readonly names: ReadonlyMap<string, string>;
  /** Fields whose sent value came back. */
  readonly byValue: ReadonlySet<FieldName>;
  /** Fields whose name a person must settle, each with the names that it may have. */
  readonly open: ReadonlyMap<FieldName, readonly string[]>;
  readonly missing: readonly FieldName[];
}

/** Studies of answers. The first one shows what was sent. */
export interface Shown {
  readonly studies: readonly JsonObject[];
  readonly sent?: Sent;
  /** The first study after an edit that has flipped `bookmarked`. */
  readonly flipped?: JsonObject | undefined;
}

/** Returns the place of the study in an answer; `undefined` if no object looks like one. */
export function findStudy(
  body: unknown,
  answer: Contract['answer'],
  sent: Sent = {},
): string | undefined {
  const known = new Set(fieldNames.flatMap((name) => [fold(name), fold(toApiName(answer, name))]));
  let best: { pointer: string; score: number } | undefined;
  for (const [pointer, value] of toPlaces(body)) {
    if (!isObject(value)) continue;
    const named = Object.keys(value).filter((key) => known.has(fold(key)));
    const isSent = (field: FieldName): boolean =>
      Object.values(value).some((one) => isValue(field, sent[field], one));
    const score = named.length + 3 * fieldNames.filter(isSent).length;
    if (score > (best?.score ?? (pointer === answer.at ? 0 : 1))) best = { pointer, score };
  }
  return best?.pointer;
}

/** Returns whether a value is what was sent, as far as an API may change it: case, zone, digits and order. */
export function isValue(field: FieldName, sent: unknown, shown: unknown): boolean {
  if (sent === undefined || sent === null || shown === undefined || shown === null) return false;
  switch (fields[field].kind) {
    case 'boolean':
      return false;
    case 'date and time':
      return typeof shown !== 'object' && toSecond(sent) === toSecond(shown);
    case 'progress':
      return (
        isObject(sent) &&
        isObject(shown) &&
        Object.values(sent).every((part) => Object.values(shown).includes(part))
      );
    case 'array of strings':
      return (
        Array.isArray(sent) &&
        sent.length > 0 &&
        Array.isArray(shown) &&
        sent.every((item) => shown.includes(item))
      );
    default:
      return toWord(shown) === toWord(sent);
  }
}

/** Texts of numbers and strings are compared without case. */
function toWord(value: unknown): unknown {
  const isText = typeof value === 'string' || typeof value === 'number';
  return isText ? `${value}`.trim().toLowerCase() : value;
}

function toSecond(date: unknown): number {
  const ms = typeof date === 'number' ? date * (date < 1e11 ? 1_000 : 1) : Date.parse(String(date));
  return Math.floor(ms / 1_000);
}

/** Values of requests that the API may show inside of read-only fields. */
const sources: readonly (readonly [FieldName, FieldName])[] = [
  ['audiencesObj', 'audiences'],
  ['problemsObj', 'problems'],
  ['solution', 'solutionId'],
  ['researchGoal', 'researchGoalId'],
];

/** Learns names by value first, then by name, and then by type, as far as only one name is left. */
export function learnNames(
  { studies, sent = {}, flipped }: Shown,
  answer: Contract['answer'],
): Learned {
  const [first = {}] = studies;
  const keys = [...new Set(studies.flatMap((study) => Object.keys(study)))].filter(isPlainName);
  const names = new Map<FieldName, string>();
  const claim = (field: FieldName, isIt: (key: string) => boolean): void => {
    if (names.has(field)) return;
    const free = keys.filter((key) => ![...names.values()].includes(key) && isIt(key));
    const name = free.find((key) => fold(key) === fold(field)) ?? free[0];
    if (name !== undefined) names.set(field, name);
  };

  for (const field of fieldNames) claim(field, (key) => isValue(field, sent[field], first[key]));
  if (flipped)
    claim('bookmarked', (key) => typeof first[key] === 'boolean' && flipped[key] === !first[key]);
  for (const [field, source] of sources)
    claim(field, (key) => isInside(field, sent[source], first[key]));
  const byValue = new Set(names.keys());
  for (const field of fieldNames) claim(field, (key) => key === toApiName(answer, field));
  for (const field of fieldNames) claim(field, (key) => fold(key) === fold(field));
  for (const field of fieldNames) claim(field, (key) => field === 'id' && fold(key) === 'studyid');
  const isForeign =
    [...names].filter(([field, key]) => fold(field) === fold(key)).length < names.size / 2;

  const toCandidates = (field: FieldName): string[] =>
    keys.filter(
      (key) =>
        ![...names.values()].includes(key) && studies.every((study) => mayBe(field, study[key])),
    );
  const isOpen = (field: FieldName): boolean => !names.has(field) && sent[field] === undefined;
  // A field that is settled leaves fewer names for the others.
  for (let isSettling = isForeign || !names.has('id'); isSettling;) {
    const left = fieldNames.filter(isOpen).map((field) => [field, toCandidates(field)] as const);
    const areRivals = (one: FieldName, other: FieldName): boolean =>
      one !== other && (fields[one].presence !== 'value' || fields[other].presence === 'value');
    const settled = left.find(
      ([field, [name, ...more]]) =>
        name !== undefined &&
        more.length === 0 &&
        !left.some(([other, names]) => areRivals(field, other) && names.includes(name)),
    );
    if (settled) names.set(settled[0], settled[1][0]!);
    isSettling = settled !== undefined;
  }
  const left = fieldNames.filter((field) => !names.has(field));
  const open = new Map(
    left
      .filter(isOpen)
      .map((field) => [field, toCandidates(field)] as const)
      .filter(([, { length }]) => length > 0),
  );
  const missing = left.filter((field) => !open.has(field));
  return {
    names: new Map([...names, ...learnParts(studies, names.get('progress'), sent)]),
    byValue,
    open,
    missing,
  };
}

function isInside(field: FieldName, sent: unknown, shown: unknown): boolean {
  const [value] = [sent].flat();
  if (typeof value !== 'string' || findFault(fields[field].kind, shown) !== undefined) return false;
  return JSON.stringify(shown).includes(JSON.stringify(value).slice(1, -1));
}

/** A date or a UUID in place of a text is another field, probably. */
function mayBe(field: FieldName, value: unknown): boolean {
  const { kind, presence } = fields[field];
  if (value === undefined || value === null) return presence !== 'value';
  if (kind === 'string' && typeof value === 'string')
    return field.endsWith('Id') ? true : !UUID.test(value) && Number.isNaN(Date.parse(value));
  return findFault(kind, value) === undefined;
}

function learnParts(
  studies: readonly JsonObject[],
  key: string | undefined,
  sent: Sent,
): [string, string][] {
  const shown = studies.map((study) => key !== undefined && study[key]).find(isObject);
  if (!shown) return [];
  const { progress } = sent;
  return progressParts.flatMap((part): [string, string][] => {
    const value = isObject(progress) ? progress[part] : undefined;
    const names = Object.keys(shown);
    const name =
      names.find((one) => value !== undefined && shown[one] === value) ??
      names.find((one) => fold(one) === part);
    return name === undefined ? [] : [[`progress.${part}`, name]];
  });
}

/** Returns the names as a contract says them: the rule that leaves the fewest exceptions, and these. */
export function toNames(
  found: ReadonlyMap<string, string>,
  known: Names,
): { naming: Naming; names: Record<string, string> } {
  const toExceptions = (naming: Naming): [string, string][] =>
    [...found].filter(([field, name]) => toApiName({ naming, names: {} }, field) !== name);
  const rules = [known.naming, ...namingRules];
  const [naming = known.naming] = rules.toSorted(
    (one, other) => toExceptions(one).length - toExceptions(other).length,
  );
  return { naming, names: Object.fromEntries(toExceptions(naming)) };
}

/** Returns a study by GraphQL names. */
export function toStudy(study: JsonObject, names: ReadonlyMap<string, string>): JsonObject {
  return Object.fromEntries(fieldNames.map((field) => [field, study[names.get(field) ?? ' ']]));
}

/** Returns the object at the place of the study; an empty one if there is none. */
export function readStudy(body: unknown, at: string | undefined): JsonObject {
  const study = readAt(body, at);
  return isObject(study) ? study : {};
}
