import type { TestGateway } from './gateway.js';

export interface Result {
  readonly status: number;
  readonly body: { readonly data?: unknown; readonly errors?: unknown };
}

/** Posts `body` to `/graphql`, and returns the status and the parsed body of the response. */
export async function post(gateway: TestGateway, body: object | string): Promise<Result> {
  const response = await gateway.post(body);
  return { status: response.status, body: (await response.json()) as Result['body'] };
}

/** Joins `toText(first)`, `toText(first + 1)`, … by spaces, `count` texts in total. */
export function repeat(count: number, toText: (index: number) => string, first = 0): string {
  return Array.from({ length: count }, (_, index) => toText(first + index)).join(' ');
}

/** Returns a root field that creates a study, with an alias made from `index`. */
export const create = (index: number): string => `c${index}: createStudy(input: {}) { id }`;
export const creates = (count: number, first = 0): string => repeat(count, create, first);

/** Documents that would cost much CPU or memory if the gateway executed them; each with its description. */
export const bombs: readonly [string, string][] = [
  ['5,000 aliases', `mutation { ${creates(5_000)} }`],
  ['10,000 levels', `${'{ study '.repeat(10_000)}${'}'.repeat(10_000)}`],
  ['10,000 directives', `{ __typename ${repeat(10_000, () => '@include(if: true)')} }`],
  ['as many tokens as fit', `{ ${'a '.repeat(9_990)} }`],
  ['as many brackets as fit', '{'.repeat(20_000)],
  [
    'a list literal as deep as fits',
    `{ study(id: ${'['.repeat(9_000)}${']'.repeat(9_000)}) { id } }`,
  ],
  ['a list type as deep as fits', `query ($a: ${'['.repeat(9_000)}A${']'.repeat(9_000)}) { a }`],
  [
    '2^49 names by fragments',
    `{ ...F0 } ${repeat(49, (i) => `fragment F${i} on Query { ...F${i + 1} ...F${i + 1} }`)} fragment F49 on Query { __schema { types { name a: name } } }`,
  ],
  [
    'fragments in a circle',
    `{ ...F0 } ${repeat(50, (i) => `fragment F${i} on Query { ...F${(i + 1) % 50} ...F${(i + 7) % 50} }`)}`,
  ],
  ['490 fragments that are not there', `{ ${repeat(490, (i) => `...F${i}`)} }`],
  ['490 times a fragment that is not there', `{ ${repeat(490, () => '...F')} }`],
  ['990 equal fields of no type', `{ ${repeat(990, () => 'nothing')} }`],
];

/** Nests `count` pairs of brackets in each other, with nothing inside the innermost pair. */
export const nest = (open: string, close: string, count: number): string =>
  open.repeat(count) + close.repeat(count);
const createWith = 'mutation ($input: CreateStudyInput!) { createStudy(input: $input) { id } }';

/** Queries that are `count` levels deep, each with its description. */
const deep: Readonly<Record<string, (count: number) => string>> = {
  'a list literal': (count) =>
    `mutation { createStudy(input: { files: ${nest('[', ']', count)} }) { id } }`,
  'an object literal': (count) =>
    `mutation { createStudy(input: ${nest('{ progress: ', '}', count).replace(' }', ' 1 }')}) { id } }`,
  'a list type': (count) =>
    `query ($a: ${'['.repeat(count)}Int${']'.repeat(count)}) { study(id: $a) { id } }`,
  'a default value': (count) =>
    `query ($a: UUID = ${nest('[', ']', count)}) { study(id: $a) { id } }`,
  'a selection': (count) => `{ ${'a { '.repeat(count)} a ${'}'.repeat(count)} }`,
  'inline fragments': (count) => `{ ${'... { '.repeat(count)} a ${'}'.repeat(count)} }`,
  'an unfinished selection': (count) => '{ a '.repeat(count),
  'fragments in a chain': (count) =>
    `{ ...F0 } ${repeat(count, (i) => `fragment F${i} on Query { ...F${i + 1} }`)} fragment F${count} on Query { a }`,
  'fragments in a circle': (count) =>
    `{ ...F0 } ${repeat(count, (i) => `fragment F${i} on Query { ...F${(i + 1) % count} }`)}`,
};
const deepFragments = `{ ...F0 } ${repeat(49, (i) => `fragment F${i} on Query { ${'... { '.repeat(48)} ...F${i + 1} ${'}'.repeat(49)}`)} fragment F49 on Query { a }`;

/** Request bodies nested so deeply that a recursive reader could overflow the stack; each with its description. */
export const abysses: readonly [string, string][] = [
  ...Object.entries(deep).flatMap(([what, toQuery]) =>
    [40, 490, 5_000].map((count): [string, string] => [
      `${what}, ${count} deep`,
      JSON.stringify({ query: toQuery(count) }),
    ]),
  ),
  ['50 fragments, each 49 deep', JSON.stringify({ query: deepFragments })],
  [
    'a variable 9,900 lists deep',
    `{"query":${JSON.stringify(createWith)},"variables":{"input":{"files":${nest('[', ']', 9_900)}}}}`,
  ],
  [
    'a variable 9,900 objects deep',
    `{"query":${JSON.stringify(createWith)},"variables":{"input":${nest('{"progress":', '}', 9_900).replace(':}', ':1}')}}}`,
  ],
  [
    'a list variable of lists',
    `{"query":"query ($a: [[[[UUID]]]]) { study(id: $a) { id } }","variables":{"a":${nest('[', ']', 9_900)}}}`,
  ],
];
