import fc from 'fast-check';
import { studyId } from '../support/inputs.js';
import { wholeStudy } from '../support/studies.js';

// Generates requests of any size from small recipes, so that a dear case can be kept and repeated.

/** A JSON value that fills a number of bytes. */
interface Shape {
  readonly form: keyof typeof forms;
  /** JSON text that the form repeats. */
  readonly unit: (typeof units)[number];
}

/** A document and its variables, one of which is large. */
export interface Recipe {
  readonly root: keyof typeof roots;
  readonly selection: 'id' | 'all';
  /** Number of times that the selection stands in the document. */
  readonly times: number;
  /** Number of fragments of which each spreads the next one twice. */
  readonly fragments: number;
  /** Where in the request the large value stands. */
  readonly place: string;
  readonly large: Shape;
}

const units = [
  '1',
  'true',
  '[]',
  '{"a":1}',
  '[[[[]]]]',
  '1e999',
  '12345678901234567890',
  '""',
  '"\\""',
  '"\\ud800"',
  '"2026-03-01T09:30:00Z"',
  `"${studyId}"`,
  '" value: "',
] as const;

/** Returns a text in which `toItem` makes items, as many as fill `bytes`. */
function fill(bytes: number, toItem: (index: number) => string, separator = ','): string {
  const items: string[] = [];
  for (let length = 0; length < bytes; length += items.at(-1)!.length + separator.length)
    items.push(toItem(items.length));
  return items.join(separator);
}

/** Returns the content of a text, and the JSON text of any other value. */
const toContent = (unit: string): string => (unit.startsWith('"') ? unit.slice(1, -1) : unit);
const toText = (unit: string, bytes: number): string => {
  const content = toContent(unit).replaceAll(/(?<!\\)"/g, String.raw`\"`) || ' ';
  return `"${content.repeat(Math.max(1, bytes / content.length))}"`;
};
const names = Object.keys(wholeStudy);

const forms = {
  text: (unit: string, bytes: number) => toText(unit, bytes),
  list: (unit: string, bytes: number) => `[${fill(bytes, () => unit)}]`,
  lists: (unit: string, bytes: number) =>
    `[${fill(bytes, () => `[${Array(100).fill(unit).join()}]`)}]`,
  members: (unit: string, bytes: number) => `{${fill(bytes, (index) => `"k${index}":${unit}`)}}`,
  similar: (unit: string, bytes: number) =>
    `{${fill(bytes, (index) => `"audience${index}":${unit}`)}}`,
  equal: (unit: string, bytes: number) => `{${fill(bytes, () => `"a":${unit}`)}}`,
  name: (unit: string, bytes: number) => `{${toText(unit, bytes)}:1}`,
  deepList: (unit: string, bytes: number) =>
    '['.repeat(bytes / 2) + unit + ']'.repeat(Math.floor(bytes / 2)),
  deepObject: (unit: string, bytes: number) =>
    '{"progress":'.repeat(bytes / 13) + unit + '}'.repeat(Math.floor(bytes / 13)),
  digits: (_unit: string, bytes: number) => '1'.repeat(bytes),
  /** At most 100 studies, in which every value except the id is the unit. */
  studies: (unit: string, bytes: number) => {
    const fields = names.map((name) => `"${name}":${name === 'id' ? `"${studyId}"` : unit}`);
    const study = `{${fields.join()}}`;
    return `[${Array(Math.ceil(Math.min(100, bytes / study.length)))
      .fill(study)
      .join()}]`;
  },
} as const;

const inputPlaces = [
  'input',
  'input.description',
  'input.files',
  'input.interviewCount',
  'input.createdAt',
  'input.bookmarked',
  'input.progress',
  'input.audiencesObj',
  'input.solutionId',
  'key',
];
const listPlaces = ['projectId', 'size'];
/** Root fields with the places where a large value may stand. */
const roots = {
  createStudy: inputPlaces,
  editStudy: ['id', ...inputPlaces],
  study: ['id'],
  studies: listPlaces,
  page: listPlaces,
} as const;
const requestPlaces = ['undeclared', 'extensions', 'operationName', 'member'];

const all = names.map((name) =>
  name === 'progress' ? 'progress { total completed failed }' : name,
);

export const recipe: fc.Arbitrary<Recipe> = fc
  .record({
    root: fc.constantFrom(...(Object.keys(roots) as Recipe['root'][])),
    selection: fc.constantFrom('id' as const, 'all' as const),
    times: fc.constantFrom(1, 15),
    fragments: fc.constantFrom(0, 0, 20),
    place: fc.nat(),
    large: fc.record({
      form: fc.constantFrom(...(Object.keys(forms) as Shape['form'][])),
      unit: fc.constantFrom(...units),
    }),
  })
  .map((parts) => {
    const places = [...roots[parts.root], ...requestPlaces];
    return Object.assign(parts, { place: places[parts.place % places.length]! });
  });

/** Largest request body. */
const MAX_BYTES = 262_144;
/** Size in bytes that the document and the rest of a request may take. */
const RESERVED_BYTES = 8_000;
const variableTypes: Readonly<Record<string, string>> = {
  input: 'CreateStudyInput!',
  key: 'String',
  id: 'UUID!',
  projectId: '[UUID!]',
  size: 'Int',
};

function toDocument({ root, selection, times, fragments, place }: Recipe): string {
  const base = place.split('.')[0]!;
  const type = root === 'editStudy' && base === 'input' ? 'EditStudyInput!' : variableTypes[base];
  const toArgument = (name: string, argument: string, otherwise = ''): string =>
    base === name ? `${argument}: $v ` : otherwise;
  const id = toArgument('id', 'id', `id: "${studyId}" `);
  const input = toArgument('input', 'input', 'input: {} ');
  const key = toArgument('key', 'idempotencyKey');
  const list = toArgument('projectId', 'projectId') + toArgument('size', 'size');
  const [kind, field] = {
    createStudy: ['mutation', `createStudy(${input}${key})`],
    editStudy: ['mutation', `editStudy(${id}${input}${key})`],
    study: ['query', `study(${id})`],
    studies: ['query', list ? `studies(${list})` : 'studies'],
    page: ['query', `studies(size: 100 ${toArgument('projectId', 'projectId')})`],
  }[root];
  const isList = root === 'studies' || root === 'page';
  const spread = fragments > 0 ? '...F0' : '...F';
  const toAliases = (name: string): string =>
    Array.from({ length: times }, (_, index) => `a${index}: ${name}`).join(' ');
  const selected = isList ? toAliases(`items { ${spread} }`) : `${spread} ${toAliases('files')}`;
  const chain = Array.from({ length: fragments }, (_, index) => {
    const next = index + 1 < fragments ? `...F${index + 1}` : '...F';
    return `fragment F${index} on Study { ${next} ${next} }`;
  });
  const fields = selection === 'all' ? all.join(' ') : 'id';
  return `${kind}${type ? `($v: ${type})` : ''} { ${field} { ${selected} } } ${chain.join(' ')} fragment F on Study { ${fields} }`;
}

function toVariables(place: string, large: string): string {
  const [base = '', field] = place.split('.');
  if (base in variableTypes) return field ? `{"v":{"${field}":${large}}}` : `{"v":${large}}`;
  return place === 'undeclared' ? `{"w":${large}}` : '{}';
}

/** @param share size of the large value as a share of the largest: 1 for the limit of a request */
export function toRequest(given: Recipe, share: number): string {
  const { place, large } = given;
  const text = forms[large.form](large.unit, (MAX_BYTES - RESERVED_BYTES) * share);
  const more = requestPlaces.includes(place) && place !== 'undeclared' ? `,"${place}":${text}` : '';
  const query = JSON.stringify(toDocument(given));
  return `{"query":${query},"variables":${toVariables(place, text)}${more}}`;
}
