import type { Contract } from 'study-gateway-contract';

export type JsonObject = Readonly<Record<string, unknown>>;
export type Source = 'document' | 'reference' | 'inferred' | 'assumed';
export type OperationName = 'createStudy' | 'editStudy' | 'study' | 'studies';
export type Kind =
  | 'UUID'
  | 'date and time'
  | 'string'
  | 'boolean'
  | 'integer'
  | 'array of strings'
  | 'array of objects'
  | 'object'
  | 'progress';

interface Field {
  readonly kind: Kind;
  /** `value`: never `null`; `nullable`: never missing; `optional`: may be `null` or missing. */
  readonly presence: 'value' | 'nullable' | 'optional';
  readonly source: Source;
}

/** Returns a row of the table of fields. */
function field(kind: Kind, presence: Field['presence'], source: Source): Field {
  return { kind, presence, source };
}

// Written here again, and not imported from the contract: the probe is the judge of what the contract says.
/** Fields of an answer by GraphQL names, in the order of the document. */
const table = {
  id: field('UUID', 'value', 'reference'),
  description: field('string', 'optional', 'reference'),
  projectId: field('UUID', 'value', 'document'),
  createdAt: field('date and time', 'optional', 'reference'),
  bookmarked: field('boolean', 'optional', 'reference'),
  language: field('string', 'optional', 'reference'),
  audiences: field('array of strings', 'value', 'document'),
  audiencesObj: field('array of objects', 'value', 'document'),
  problems: field('array of strings', 'value', 'document'),
  problemsObj: field('array of objects', 'value', 'document'),
  files: field('array of strings', 'value', 'document'),
  planId: field('string', 'nullable', 'document'),
  progress: field('progress', 'optional', 'document'),
  status: field('string', 'optional', 'reference'),
  solutionId: field('string', 'optional', 'document'),
  solution: field('object', 'optional', 'document'),
  researchGoalId: field('string', 'optional', 'document'),
  researchGoal: field('object', 'optional', 'document'),
  knowledgeGraphs: field('array of strings', 'optional', 'document'),
  strategy: field('string', 'optional', 'reference'),
  interviewCount: field('integer', 'optional', 'document'),
  interviews: field('array of strings', 'value', 'document'),
  summaries: field('array of strings', 'value', 'document'),
} as const satisfies Record<string, Field>;

export type FieldName = keyof typeof table;
export const fields: Readonly<Record<FieldName, Field>> = table;
// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a literal has no other members
export const fieldNames = Object.keys(table) as FieldName[];

const notInCreate = 'id audiencesObj problemsObj planId solution researchGoal summaries'.split(' ');
/** Fields in the body of a create: sixteen. An edit has neither `problems` nor `solutionId` nor `researchGoalId`. */
export const createFields = fieldNames.filter((name) => !notInCreate.includes(name));
export const progressParts = ['total', 'completed', 'failed'] as const;
export const strategies = [
  'problem_exploration',
  'solution_feedback',
  'custom_script',
  'dynamic_interview',
  'ethnographic_research',
  'concept_study',
] as const;

export const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;
const DATE_TIME = /^\d{4}-\d\d-\d\d[Tt]\d\d:\d\d:\d\d(?:\.\d+)?(?:[Zz]|[+-]\d\d:\d\d)?$/;

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Returns what is wrong with a value of a field, in words without the value; `undefined` if the value fits. */
export function findFault(kind: Kind, value: unknown): string | undefined {
  const type = toTypeName(value);
  switch (kind) {
    case 'UUID':
      return typeof value === 'string' && !UUID.test(value)
        ? 'a string that is no UUID'
        : is(type, 'a string');
    case 'date and time':
      if (typeof value !== 'string' || DATE_TIME.test(value)) return is(type, 'a string');
      return 'a string of another form';
    case 'string':
      return is(type, 'a string');
    case 'boolean':
      return is(type, 'a boolean');
    case 'integer':
      return type === 'a number' && (Number(value) | 0) !== value
        ? 'no 32-bit integer'
        : is(type, 'a number');
    case 'object':
      return is(type, 'an object');
    case 'progress':
      if (!isObject(value)) return is(type, 'an object');
      return Object.values(value)
        .map((part) => (part === null ? 'null inside' : findFault('integer', part)))
        .find(Boolean);
    default: {
      if (!Array.isArray(value)) return is(type, 'an array');
      const expected = kind === 'array of strings' ? 'a string' : 'an object';
      const wrong = value.map(toTypeName).find((item) => item !== expected);
      return wrong && `${wrong} inside`;
    }
  }
}

function is(type: string, expected: string): string | undefined {
  return type === expected ? undefined : type;
}

export function toTypeName(value: unknown): string {
  if (value === undefined) return 'missing';
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'an array';
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}

/** Rules of a contract that make the names of an API from those of the GraphQL schema. */
const namings = {
  camelCase: (name: string) => name,
  snake_case: (name: string) => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
  'kebab-case': (name: string) => name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`),
  PascalCase: (name: string) => name.charAt(0).toUpperCase() + name.slice(1),
} as const;

export type Naming = keyof typeof namings;
// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a literal has no other members
export const namingRules = Object.keys(namings) as Naming[];

export type Names = Pick<Contract['answer'], 'naming' | 'names'>;

/** Returns the API's name of a field, or of a part of a progress such as `progress.total`. */
export function toApiName({ naming, names }: Names, name: string): string {
  return toOwn(names, name) ?? namings[naming](name.replace('progress.', ''));
}

function toOwn(names: Readonly<Record<string, string | undefined>>, name: string) {
  return names[name];
}

/** Returns a name without case and separators: `plan_id` and `planId` become equal. */
export function fold(name: string): string {
  return name.replaceAll(/[^\p{L}\p{N}]/gu, '').toLowerCase();
}

/** Returns the value at a JSON Pointer (RFC 6901); `undefined` if there is none. */
export function readAt(value: unknown, pointer = ''): unknown {
  let inner = value;
  for (const step of pointer.split('/').slice(1)) {
    const name = step.replaceAll('~1', '/').replaceAll('~0', '~');
    if (typeof inner !== 'object' || inner === null || !Object.hasOwn(inner, name))
      return undefined;
    inner = Reflect.get(inner, name);
  }
  return inner;
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

/**
 * Returns a name for the report. A name that developers do not give to a field may be a value or a secret: only its
 * length is shown.
 */
export function toSafeName(name: string): string {
  return isPlainName(name) && !name.includes('-')
    ? `\`${name}\``
    : `a name of ${name.length} characters`;
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
