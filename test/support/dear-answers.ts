import { repeat } from './bombs.js';
import { toPage, wholeStudy, type StudyField } from './studies.js';

/** An answer of the Study API that would cost much more CPU than its bytes, and the operation that gets it. */
export interface DearAnswer {
  readonly what: string;
  readonly query: string;
  readonly body: string;
  /** Message of the one error; `undefined` if the answer has few errors, or none. */
  readonly refusal?: string;
}

const MAX_BYTES = 4 * 1024 * 1024 - 4_000;
const { id } = wholeStudy;
const names = Object.keys(wholeStudy).map((name) =>
  name === 'progress' ? 'progress { total completed failed }' : name,
);

/** Selects all fields of a study, the three of its progress among them. */
export const allFields = `fragment F on Study { ${names.join(' ')} }`;

/** A study with an id, and 24 values that break the contract. */
export const brokenStudy = {
  ...Object.fromEntries(Object.keys(wholeStudy).map((name) => [name, 7])),
  id,
  createdAt: 7,
  description: 7,
  bookmarked: 7,
  interviewCount: 'x',
  progress: { total: 'x', completed: 'x', failed: 'x' },
};

export function toBody(items: readonly unknown[]): string {
  return JSON.stringify(toPage(items, { size: 100 }));
}

/** A page of broken studies. */
export const brokenStudies = Array.from({ length: 100 }, () => brokenStudy);

function list(item: string, bytes = MAX_BYTES): string {
  return `[${`${item},`.repeat(bytes / (item.length + 1)).slice(0, -1)}]`;
}

function members(count: number): string {
  return Array.from({ length: count }, (_, index) => `"n${index}":1`).join(',');
}

/** Returns the text of a whole study with another JSON text in the place of one field, and more members. */
function toStudy(field: StudyField, text: string, more = ''): string {
  const fields = Object.entries(wholeStudy).map(
    ([name, value]) => `"${name}":${name === field ? text : JSON.stringify(value)}`,
  );
  return `{${fields.join(',')}${more}}`;
}

function create(
  what: string,
  field: StudyField,
  text: string,
  excess?: string,
  more?: string,
): DearAnswer {
  const selected = field === 'progress' ? 'progress { total }' : field;
  return {
    what,
    query: `mutation { createStudy(input: {}) { id ${selected} } }`,
    body: toStudy(field, text, more),
    ...(excess && {
      refusal: `The answer of the Study API cannot be read. It has more than ${excess}, which is the limit. The change was made.`,
    }),
  };
}

const containers = '100,000 lists and objects';
const values = '500,000 values';
const different = '20,000 different names';
const inexact = '50,000 numbers that a double would change';

/** Answers to a create, each with the bound that it passes. */
export const dearCreates: readonly DearAnswer[] = [
  create('4 MB of empty lists', 'solution', `{"a":${list('[]')}}`, containers),
  create('4 MB of empty objects', 'audiencesObj', list('{}'), containers),
  create(
    '4 MB of lists, 400 deep',
    'solution',
    `{"a":${list('['.repeat(400) + ']'.repeat(400))}}`,
    containers,
  ),
  create('4 MB of objects', 'solution', `{"a":${list('{"a":1}')}}`, containers),
  create('4 MB of short numbers', 'solution', `{"a":${list('1')}}`, values),
  create('4 MB of numbers among strings', 'audiences', list('1'), values),
  create('4 MB of empty strings', 'audiences', list('""'), values),
  create('300,000 names', 'solution', `{${members(300_000)}}`, different),
  create('100,000 unknown fields in `progress`', 'progress', `{${members(100_000)}}`, different),
  create('100,000 unknown names', 'status', '"new"', different, `,${members(100_000)}`),
  create('4 MB of 1e999', 'solution', `{"a":${list('1e999', 2_000_000)}}`, inexact),
  create('4 MB of long digits', 'solution', `{"a":${list('12345678901234567890')}}`, inexact),
];

const digits = '1'.repeat(MAX_BYTES - 10);

/** Answers that are as dear as the bounds allow. */
export const allowedAnswers: readonly DearAnswer[] = [
  create('4 MB of one text', 'description', `"${'x'.repeat(MAX_BYTES)}"`),
  create('4 MB of escapes', 'description', `"${'\\u0001'.repeat(MAX_BYTES / 6)}"`),
  create('4 MB of line feeds', 'description', `"${'\\n'.repeat(MAX_BYTES / 2)}"`),
  create('4 MB of halves of surrogates', 'description', `"${'\\ud800'.repeat(MAX_BYTES / 6)}"`),
  create('4 MB of digits in a text', 'description', `"${digits}"`),
  create('4 MB of -0 in a text', 'description', `"${'-0'.repeat(MAX_BYTES / 2)}"`),
  create('4 MB of one number', 'solution', `{"a":${digits}}`),
  create('as many lists as allowed', 'solution', `{"a":${list('[]', 299_000)}}`),
  create('as many names as allowed', 'solution', `{${members(19_900)}}`),
  create('as many unknown names as allowed', 'status', '"new"', undefined, `,${members(19_900)}`),
  create('as many inexact numbers as allowed', 'solution', `{"a":${list('1e999', 299_000)}}`),
  create('as many broken items as allowed', 'audiences', list('1', 990_000)),
  {
    what: 'as many errors as allowed',
    query: `{ ${repeat(10, (index) => `a${index}: studies(size: 100) { items { id } }`)} }`,
    body: toBody(Array(100).fill(null)),
  },
];

/** Answers to a list, each with the bound that it passes. */
export const dearPages: readonly DearAnswer[] = [
  {
    what: '100,000 empty objects, `size` not given',
    query: '{ studies { items { id } } }',
    body: `[${Array(99_990).fill('{}').join(',')}]`,
    refusal:
      'The Study API answered "items" with a page of 99990 studies where a page of at most 100 was expected.',
  },
  {
    what: '100 studies of 24 broken values',
    query: `{ studies(size: 100) { items { ...F } } } ${allFields}`,
    body: toBody(brokenStudies),
    refusal:
      "The Study API's answer breaks its contract in 2400 of the selected values. A response reports at most 1000 of them.",
  },
];
