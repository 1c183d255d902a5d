import { toPage, wholeStudy } from './studies.js';

/** An answer of the Study API that would cost much more CPU than its bytes, and the operation that gets it. */
export interface DearAnswer {
  readonly what: string;
  readonly query: string;
  readonly body: string;
  /** Message of the one error; `undefined` if the answer has few errors, or none. */
  readonly refusal?: string;
}

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

/** Answers to a list, each with the bound that it passes. */
export const dearPages: readonly DearAnswer[] = [
  {
    what: '100,000 empty objects, `size` not given',
    query: '{ studies { items { id } } }',
    body: `[${Array(99_990).fill('{}').join(',')}]`,
    refusal:
      'The Study API answered "items" with a longer page where a page of its size was expected.',
  },
  {
    what: '100 studies of 24 broken values',
    query: `{ studies(size: 100) { items { ...F } } } ${allFields}`,
    body: toBody(brokenStudies),
    refusal:
      "The Study API's answer breaks its contract in 2400 of the selected values. A root field reports at most 1000 of them.",
  },
];
