import {
  isObject,
  namings,
  studyFields,
  toKeys,
  toSteps,
  type FieldName,
  type Kind,
} from 'study-gateway-contract';

export type Source = 'document' | 'reference' | 'inferred' | 'assumed';

export const namingRules = toKeys(namings);
export const strategies = [
  'problem_exploration',
  'solution_feedback',
  'custom_script',
  'dynamic_interview',
  'ethnographic_research',
  'concept_study',
] as const;

const ofReference = new Set(
  'id description createdAt bookmarked language status strategy'.split(' '),
);

export function toSource(field: FieldName): Source {
  return ofReference.has(field) ? 'reference' : 'document';
}

/** No source says that the ids of a plan, a solution or a goal are UUIDs. */
export function toKind(field: FieldName): Kind {
  return /^(?:plan|solution|researchGoal)Id$/.test(field) ? 'text' : studyFields[field].kind;
}

/** Forms of values, as claims name them, and their types in JSON. */
const forms: Readonly<Record<Kind, readonly [form: string, type: string]>> = {
  uuid: ['a UUID', 'a string'],
  'date-time': ['a date and time', 'a string'],
  text: ['a string', 'a string'],
  boolean: ['a boolean', 'a boolean'],
  integer: ['an integer', 'a number'],
  texts: ['an array of strings', 'an array'],
  objects: ['an array of objects', 'an array'],
  object: ['an object', 'an object'],
  progress: ['an object of three integers', 'an object'],
};

export function toClaim(field: FieldName): string {
  const ending = { value: '', nullable: ', or null', optional: ', or null, or missing' };
  return `\`${field}\` is ${forms[toKind(field)][0]}${ending[studyFields[field].answer]}.`;
}

export const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;
const DATE_TIME = /^\d{4}-\d\d-\d\d[Tt]\d\d:\d\d:\d\d(?:\.\d+)?(?:[Zz]|[+-]\d\d:\d\d)?$/;

/** Returns what is wrong with a value, in words without the value; `undefined` if the value is of the kind. */
export function findFault(kind: Kind, value: unknown): string | undefined {
  const type = toTypeName(value);
  if (type !== forms[kind][1]) return type;
  if (kind === 'uuid') return UUID.test(String(value)) ? undefined : 'a string that is no UUID';
  if (kind === 'date-time')
    return DATE_TIME.test(String(value)) ? undefined : 'a string of another form';
  if (kind === 'integer') return (Number(value) | 0) === value ? undefined : 'no 32-bit integer';
  if (kind === 'progress')
    return Object.values(Object(value))
      .map((part) => (part === null ? 'null inside' : findFault('integer', part)))
      .find(Boolean);
  if (!Array.isArray(value)) return undefined;
  const wrong = value
    .map(toTypeName)
    .find((item) => item !== forms[kind === 'texts' ? 'text' : 'object'][1]);
  return wrong && `${wrong} inside`;
}

export function toTypeName(value: unknown): string {
  if (value === undefined) return 'missing';
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'an array';
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}

export function isEmpty(value: unknown): boolean {
  return value === null || value === undefined || (Array.isArray(value) && value.length === 0);
}

/** Returns the value at a JSON Pointer (RFC 6901); `undefined` if there is none. */
export function readAt(value: unknown, pointer = ''): unknown {
  return toSteps(pointer).reduce<unknown>(
    (inner, step) =>
      typeof inner === 'object' && inner !== null && Object.hasOwn(inner, step)
        ? Reflect.get(inner, step)
        : undefined,
    value,
  );
}

/** Maximum number of values that are looked at in one answer. */
const MAX_PLACES = 2_000;

/** Returns the places of a JSON value, outermost first, each with its value: at most `MAX_PLACES`, four levels deep. */
export function toPlaces(value: unknown): readonly (readonly [pointer: string, value: unknown])[] {
  const places: [string, unknown][] = [['', value]];
  for (const [pointer, inner] of places) {
    if (!isObject(inner) || pointer.split('/').length > 4) continue;
    for (const [name, member] of Object.entries(inner).slice(0, MAX_PLACES - places.length))
      places.push([`${pointer}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`, member]);
  }
  return places;
}

export function quote(names: readonly string[]): string {
  return names.map((name) => `\`${name}\``).join(', ');
}

/** Returns a name for the report. A name that developers do not give to a field may be a value or a secret. */
export function toSafeName(name: string): string {
  const isSafe = isPlainName(name) && !name.includes('-');
  return isSafe ? `\`${name}\`` : `a name of ${name.length} characters`;
}

/** A secret that consists of ordinary words cannot be told from a name. */
export function isPlainName(name: string): boolean {
  const words = name.split(/[_\d-]+|(?=[A-Z][a-z])/);
  return (
    /^[A-Za-z_][\w-]{0,39}$/.test(name) &&
    /^\D*\d{0,3}\D*$/.test(name) &&
    words.length <= 6 &&
    words.every((word) => /^(?:[A-Z]?[a-z]{0,20}|[A-Z]{2,6})$/.test(word))
  );
}
