import {
  answerNames,
  foldName,
  isObject,
  namings,
  requestNames,
  studyFields,
  toApiName,
  type Contract,
  type FieldName,
  type JsonObject,
  type Names,
  type Naming,
} from 'study-gateway-contract';
import {
  findFault,
  isEmpty,
  isPlainName,
  namingRules,
  readAt,
  toKind,
  toPlaces,
  UUID,
} from './fields.js';

/** Names in a study, as far as answers show them. */
export interface Learned {
  /** Names of the API by GraphQL names. A part of a progress is `progress.total`. */
  readonly names: ReadonlyMap<string, string>;
  /** Fields whose sent value came back. */
  readonly byValue: ReadonlySet<FieldName>;
  /** Fields whose name a person must settle, each with the names that it may have. */
  readonly open: ReadonlyMap<FieldName, readonly string[]>;
  readonly missing: readonly FieldName[];
}

/** Returns the place of the study in an answer; `undefined` if no object looks like one. */
export function findStudy(
  body: unknown,
  answer: Contract['answer'],
  sent: JsonObject = {},
): string | undefined {
  const known = new Set(
    answerNames.flatMap((name) => [name, toApiName(answer, name)].map(foldName)),
  );
  let best: { pointer: string; score: number } | undefined;
  for (const [pointer, value] of toPlaces(body)) {
    if (!isObject(value)) continue;
    const named = Object.keys(value).filter((key) => known.has(foldName(key)));
    const isSent = (field: FieldName): boolean =>
      Object.values(value).some((one) => isValue(field, sent[field], one));
    const score = named.length + 3 * answerNames.filter(isSent).length;
    if (score > (best?.score ?? (pointer === answer.at ? 0 : 1))) best = { pointer, score };
  }
  return best?.pointer;
}

/** Changes that an API may make to a text, and their descriptions. */
const changes: readonly (readonly [words: string, undo: (text: string) => string])[] = [
  ['trimmed', (text) => text.trim()],
  ['in another case', (text) => text.toLowerCase()],
  ['in another Unicode form', (text) => text.normalize('NFC')],
  [
    'escaped',
    (text) => text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&'),
  ],
];

/** Texts of numbers and strings are compared without what an API may do to them. */
function toWord(value: unknown): unknown {
  if (typeof value !== 'string' && typeof value !== 'number') return value;
  return changes.reduce((text, [, undo]) => undo(text), `${value}`);
}

function toSecond(date: unknown): number {
  const ms = typeof date === 'number' ? date * (date < 1e11 ? 1_000 : 1) : Date.parse(String(date));
  return Math.floor(ms / 1_000);
}

/** Returns whether a value is what was sent, as far as an API may change it: case, zone, digits and order. */
export function isValue(field: FieldName, sent: unknown, shown: unknown): boolean {
  if (isEmpty(sent) || isEmpty(shown)) return false;
  switch (toKind(field)) {
    case 'boolean':
      return false;
    case 'date-time':
      return typeof shown !== 'object' && toSecond(sent) === toSecond(shown);
    case 'progress': {
      const parts = isObject(shown) ? Object.values(shown) : [];
      return isObject(sent) && Object.values(sent).every((part) => parts.includes(part));
    }
    case 'texts': {
      const items = Array.isArray(shown) ? shown.map(toWord) : [];
      return [sent].flat().every((item) => items.includes(toWord(item)));
    }
    default:
      return toWord(shown) === toWord(sent);
  }
}

/** Returns the fields that came back otherwise than they were sent, each with how, in words without the value. */
export function compare(sent: JsonObject, shown: JsonObject): Map<FieldName, string> {
  const found = requestNames.createStudy.flatMap((field): [FieldName, string][] => {
    const [before, after] = [sent[field], shown[field]];
    if (before === undefined || after === undefined) return [];
    const how = toHow(field, before, after);
    return how === undefined ? [] : [[field, how]];
  });
  return new Map(found);
}

function toHow(field: FieldName, sent: unknown, shown: unknown): string | undefined {
  if (toText(sent) === toText(shown)) return undefined;
  if (isEmpty(shown) && isEmpty(sent))
    return sent === null ? undefined : 'an empty list comes back as null';
  if (isEmpty(sent)) return 'stays';
  if (isEmpty(shown)) return 'not stored';
  if (field === 'createdAt' && typeof shown === 'string') {
    if (!isValue(field, sent, shown)) return 'not stored';
    const [zone, other] = [sent, shown].map((date) => String(date).replace(/^.{19}[.\d]*/, ''));
    return zone === other
      ? 'comes back with fewer digits of seconds'
      : 'comes back in another zone';
  }
  const change = changes.find(([, undo]) => toText(sent, undo) === toText(shown, undo));
  if (change) return `comes back ${change[0]}`;
  const isSorted = Array.isArray(sent) && isValue(field, sent, shown);
  return isSorted ? 'comes back in another order' : 'comes back as another value';
}

export function toText(value: unknown, undo = (text: string): string => text): string {
  return JSON.stringify(value, (_, inner: unknown) =>
    typeof inner === 'string' ? undo(inner) : inner,
  );
}

/** Values of requests that the API may show inside of read-only fields. */
const sources: readonly (readonly [FieldName, FieldName])[] = [
  ['audiencesObj', 'audiences'],
  ['problemsObj', 'problems'],
  ['solution', 'solutionId'],
  ['researchGoal', 'researchGoalId'],
];

/**
 * Learns names by value first, then by name, and then by type, as far as only one name is left.
 *
 * @param studies studies of answers. The first one shows what was sent
 * @param sent values by GraphQL names. Nothing else has them, but for `bookmarked`
 * @param flipped the first study after an edit that has flipped `bookmarked`
 */
export function learnNames(
  answer: Contract['answer'],
  studies: readonly JsonObject[],
  sent: JsonObject = {},
  flipped?: JsonObject,
): Learned {
  const [first = {}] = studies;
  const keys = [...new Set(studies.flatMap((study) => Object.keys(study)))].filter(isPlainName);
  const names = new Map<FieldName, string>();
  const toFree = (): string[] => keys.filter((key) => ![...names.values()].includes(key));
  const claim = (field: FieldName, isIt: (key: string) => boolean): void => {
    if (names.has(field)) return;
    const free = toFree().filter(isIt);
    const name = free.find((key) => foldName(key) === foldName(field)) ?? free[0];
    if (name !== undefined) names.set(field, name);
  };

  for (const field of answerNames) claim(field, (key) => isValue(field, sent[field], first[key]));
  if (flipped)
    claim('bookmarked', (key) => typeof first[key] === 'boolean' && flipped[key] === !first[key]);
  for (const [field, source] of sources)
    claim(field, (key) => isInside(field, sent[source], first[key]));
  const byValue = new Set(names.keys());
  for (const field of answerNames) claim(field, (key) => key === toApiName(answer, field));
  for (const field of answerNames) claim(field, (key) => foldName(key) === foldName(field));
  claim('id', (key) => foldName(key) === 'studyid');
  const isForeign =
    [...names].filter(([field, key]) => foldName(field) === foldName(key)).length < names.size / 2;
  const toCandidates = (): [FieldName, string[]][] =>
    answerNames
      .filter((field) => !names.has(field) && sent[field] === undefined)
      .map((field) => [
        field,
        toFree().filter((key) => studies.every((one) => mayBe(field, one[key]))),
      ]);
  const isRival = (one: FieldName, other: FieldName): boolean =>
    one !== other && (studyFields[one].answer !== 'value' || studyFields[other].answer === 'value');
  // A field that is settled leaves fewer names for the others.
  for (let isSettling = isForeign || !names.has('id'); isSettling;) {
    const left = toCandidates();
    const settled = left.find(
      ([field, own]) =>
        own.length === 1 &&
        !left.some(([other, others]) => isRival(field, other) && others.includes(own.join(''))),
    );
    if (settled) names.set(settled[0], settled[1].join(''));
    isSettling = settled !== undefined;
  }
  const open = new Map(toCandidates().filter(([, { length }]) => length > 0));
  const missing = answerNames.filter((field) => !names.has(field) && !open.has(field));
  const parts = learnParts(studies, names.get('progress'), sent['progress']);
  return { names: new Map<string, string>([...names, ...parts]), byValue, open, missing };
}

function isInside(field: FieldName, sent: unknown, shown: unknown): boolean {
  const [value] = [sent].flat();
  if (typeof value !== 'string' || findFault(toKind(field), shown) !== undefined) return false;
  return JSON.stringify(shown).includes(JSON.stringify(value).slice(1, -1));
}

/** A date or a UUID in place of a text is another field, probably. */
function mayBe(field: FieldName, value: unknown): boolean {
  if (value === undefined || value === null) return studyFields[field].answer !== 'value';
  if (toKind(field) === 'text' && typeof value === 'string' && !field.endsWith('Id'))
    return !UUID.test(value) && Number.isNaN(Date.parse(value));
  return findFault(toKind(field), value) === undefined;
}

function learnParts(
  studies: readonly JsonObject[],
  key: string | undefined,
  sent: unknown,
): [string, string][] {
  const shown = studies.map((study) => key !== undefined && study[key]).find(isObject);
  if (!shown) return [];
  const names = Object.keys(shown);
  return ['total', 'completed', 'failed'].flatMap((part): [string, string][] => {
    const value = isObject(sent) ? sent[part] : undefined;
    const name =
      names.find((one) => value !== undefined && shown[one] === value) ??
      names.find((one) => foldName(one) === part);
    return name === undefined ? [] : [[`progress.${part}`, name]];
  });
}

/** Returns names as a contract says them: the rule that leaves the fewest exceptions, and these. */
export function toNames(found: ReadonlyMap<string, string>, known: Naming): Required<Names> {
  const toExceptions = (naming: Naming): [string, string][] =>
    [...found].filter(([field, name]) => namings[naming](field.replace('progress.', '')) !== name);
  const [naming = known] = [known, ...namingRules].toSorted(
    (one, other) => toExceptions(one).length - toExceptions(other).length,
  );
  return { naming, names: Object.fromEntries(toExceptions(naming)) };
}

/** Returns the object at the place of the study; an empty one if there is none. */
export function readStudy(body: unknown, at: string | undefined): JsonObject {
  const study = readAt(body, at);
  return isObject(study) ? study : {};
}

/** Returns a study by GraphQL names. */
export function toStudy(study: JsonObject, names: ReadonlyMap<string, string>): JsonObject {
  const toOwn = (own: JsonObject, fields: readonly string[], prefix = ''): JsonObject =>
    Object.fromEntries(fields.map((field) => [field, own[names.get(prefix + field) ?? ' ']]));
  const shown = toOwn(study, answerNames);
  const { progress } = shown;
  if (!isObject(progress)) return shown;
  return { ...shown, progress: toOwn(progress, ['total', 'completed', 'failed'], 'progress.') };
}
