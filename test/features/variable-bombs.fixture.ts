import { randomUUID } from 'node:crypto';
import { nest } from '../support/bombs.js';
import { studyId } from '../support/inputs.js';

/** What the gateway makes of a request: accepts its body, or refuses the number of its values, or something else in it. */
export type Verdict = 'accepted' | 'too many values' | 'refused';

/** Number of bytes just below the largest body. */
const MOST_BYTES = 261_500;
/** Number of values just below the bound. */
const MOST_VALUES = 9_900;
/** Number of ids in the largest body. */
const MOST_IDS = 6_600;

const createWith = 'mutation ($input: CreateStudyInput!) { createStudy(input: $input) { id } }';
const keyed =
  'mutation ($input: CreateStudyInput!, $key: UUID) { createStudy(input: $input, idempotencyKey: $key) { id } }';
const list = 'query ($p: [UUID!]) { studies(projectId: $p) { total } }';
const lists = `query ($p: [UUID!]) { ${filled(10, (i) => `l${i}: studies(size: 1, projectId: $p) { total }`).join(' ')} }`;

function filled<Item>(count: number, toItem: (index: number) => Item): Item[] {
  return Array.from({ length: count }, (_, index) => toItem(index));
}

function keys(count: number, toKey: (index: number) => string, value: unknown = 1): object {
  return Object.fromEntries(filled(count, (index) => [toKey(index), value]));
}

/** Returns the body of a create, whose input is a JSON text if it is a string. */
function create(input: object | string): string {
  const text = typeof input === 'string' ? input : JSON.stringify(input);
  return `{"query":${JSON.stringify(createWith)},"variables":{"input":${text}}}`;
}

function listOf(p: readonly unknown[], query = list): string {
  return JSON.stringify({ query, variables: { p } });
}

/** Repeats `text` to just below the size of the largest body. */
function most(text: string, bytes = Buffer.byteLength(text)): string {
  return text.repeat(MOST_BYTES / bytes);
}

/** Bodies of requests that cost seconds of CPU or much memory if nothing bounded them; each with its description. */
export const variableBombs: readonly [string, string, Verdict][] = [
  ['120,000 numbers', listOf(filled(120_000, () => 1)), 'too many values'],
  ['60,000 strings', listOf(filled(60_000, () => 'x')), 'too many values'],
  [
    '20,000 objects of a key each',
    create({
      files: filled(20_000, (i) => ({ [`k${i}`]: 1 })),
    }),
    'too many values',
  ],
  ['20,000 unknown keys', create(keys(20_000, (i) => `k${i}`)), 'too many values'],
  ['125,000 lists within each other', create(nest('[', ']', 125_000)), 'too many values'],
  [
    '18,000 objects within each other',
    create(nest('{"progress":', '}', 18_000).replace(':}', ':1}')),
    'refused',
  ],
  [
    '16,000 keys `__proto__`',
    create(`{${filled(16_000, () => '"__proto__":{}').join(',')}}`),
    'too many values',
  ],
  [
    '20,000 variables that are not declared',
    JSON.stringify({ query: '{ __typename }', variables: keys(20_000, (i) => `v${i}`) }),
    'too many values',
  ],
  [
    '100,000 values in `extensions`',
    JSON.stringify({ query: '{ __typename }', extensions: { a: filled(100_000, () => 0) } }),
    'too many values',
  ],

  ['wrong numbers', listOf(filled(MOST_VALUES, () => 1)), 'refused'],
  ['wrong strings', listOf(filled(MOST_VALUES, (i) => `${i}`.padEnd(20, 'x'))), 'refused'],
  ['strings', create({ files: filled(MOST_VALUES, (i) => `${i}`.padEnd(20, 'x')) }), 'accepted'],
  [
    'a wrong id behind ids for ten lists',
    listOf([...filled(MOST_IDS, () => studyId), 'x'], lists),
    'refused',
  ],
  [
    'ids for ten lists',
    listOf(
      filled(MOST_IDS, () => studyId),
      lists,
    ),
    'refused',
  ],
  ['lists in a list', create({ files: filled(MOST_VALUES / 2, () => [1]) }), 'refused'],
  ['lists within each other', create({ files: nested(MOST_VALUES) }), 'refused'],
  [
    'objects within each other',
    create(nest('{"progress":', '}', MOST_VALUES).replace(':}', ':1}')),
    'refused',
  ],
  [
    'objects of a long key each',
    create({ files: filled(MOST_VALUES / 2, (i) => ({ [`${i}`.padEnd(40, 'k')]: 1 })) }),
    'refused',
  ],
  ['unknown keys', create(keys(MOST_VALUES, (i) => `k${i}`)), 'refused'],
  ['unknown long keys', create(keys(MOST_VALUES, (i) => `${i}`.padEnd(20, 'k'))), 'refused'],
  ['unknown keys like known ones', create(keys(MOST_VALUES, (i) => `audience${i}`)), 'refused'],
  [
    '51 unknown keys beside a long string',
    create({ description: 'x'.repeat(MOST_BYTES - 2_000), ...keys(51, (i) => `k${i}`) }),
    'refused',
  ],
  ['one long unknown key', create({ [most('k')]: 1 }), 'refused'],
  [
    'ten long unknown keys',
    create(keys(10, (i) => `${i}${'k'.repeat(MOST_BYTES / 11)}`)),
    'refused',
  ],
  ['keys `__proto__` in a list', create({ files: prototypes(MOST_VALUES / 2) }), 'refused'],

  ['a suggestion as an Int', create({ interviewCount: most('Did you mean ') }), 'refused'],
  ['a suggestion as a key', create({ [most('Did you mean ')]: 1 }), 'refused'],
  ['suggestions with question marks', create({ [most('Did you mean ?')]: 1 }), 'refused'],
  [
    'a suggestion as the name of the operation',
    JSON.stringify({ query: '{ __typename }', operationName: `${most('Did you mean ')}?` }),
    'refused',
  ],
  ['places as a key', create({ [most('" at "x"; ', 13)]: 1 }), 'refused'],

  ['a long string', create({ description: most('x') }), 'accepted'],
  ['a long string of quotes', create({ description: most('"', 2) }), 'accepted'],
  ['a long string of backslashes', create({ description: most('\\', 2) }), 'accepted'],
  ['a long string of emoji', create({ description: most('😀') }), 'accepted'],
  ['a long string of escapes', create(`{"description":"${most(String.raw`\u0001`)}"}`), 'accepted'],
  [
    'a long string with an idempotency key',
    JSON.stringify({
      query: keyed,
      variables: { input: { description: most('é') }, key: randomUUID() },
    }),
    'accepted',
  ],
  ['a long date', create({ createdAt: `2026-03-01T09:30:00.${most('1')}` }), 'accepted'],
  [
    'a long date that is none',
    create({ createdAt: `2026-03-01T09:30:00.${most('1')}x` }),
    'refused',
  ],
  ['a long string as an Int', create({ interviewCount: most('x') }), 'refused'],
  ['quotes as an Int', create({ interviewCount: most('"', 2) }), 'refused'],
  ['a long number', create(`{"interviewCount":${most('1')}}`), 'refused'],
  ['a long word like an enum', create({ bookmarked: most('TRUE_') }), 'refused'],
  [
    'a long idempotency key',
    JSON.stringify({ query: keyed, variables: { input: {}, key: most('x') } }),
    'refused',
  ],

  ['a long string as the input', create(JSON.stringify(most('x'))), 'refused'],
  [
    'a long string as the variables',
    JSON.stringify({ query: createWith, variables: most('x') }),
    'refused',
  ],
  [
    'a list as the variables',
    JSON.stringify({ query: createWith, variables: filled(MOST_VALUES, () => 1) }),
    'refused',
  ],
  [
    '120 variables',
    JSON.stringify({
      query: `query (${filled(120, (i) => `$v${i}: UUID!`).join(' ')}) { studies(projectId: [${filled(120, (i) => `$v${i}`).join(' ')}]) { total } }`,
      variables: keys(
        120,
        (i) => `v${i}`,
        filled(80, () => 'x'),
      ),
    }),
    'refused',
  ],
  [
    'a default beside wrong values',
    JSON.stringify({
      query: `query ($p: [UUID!] = ["${studyId}"], $s: Int = 1) { studies(projectId: $p, size: $s) { total } }`,
      variables: { p: filled(MOST_VALUES, () => null), s: null },
    }),
    'refused',
  ],
  [
    'null for a condition',
    JSON.stringify({
      query: `query ($p: [UUID!], $c: Boolean = true) { studies(projectId: $p) { total @include(if: $c) } }`,
      variables: { p: filled(MOST_VALUES, () => 'x'), c: null },
    }),
    'refused',
  ],
  [
    'wrong values after 19,000 line breaks',
    listOf(
      filled(60, () => 'x'),
      '\n'.repeat(19_000) + list,
    ),
    'refused',
  ],
];

function nested(count: number): unknown {
  return JSON.parse(nest('[', ']', count));
}

function prototypes(count: number): unknown[] {
  return filled(count, () => JSON.parse('{"__proto__":{}}') as unknown);
}
