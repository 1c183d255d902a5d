/** A type in the Study API's contract, and its name in the gateway's error messages. */
interface Contract {
  readonly expected: string;
  readonly accepts: (value: unknown) => boolean;
}

const isText = (value: unknown): boolean => typeof value === 'string';
const isObject = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const uuid: Contract = { expected: 'a UUID', accepts: () => false };
const dateTime: Contract = {
  expected: 'an RFC 3339 date and time or null',
  accepts: () => false,
};
const text: Contract = { expected: 'a string or null', accepts: isText };
const texts: Contract = {
  expected: 'an array of strings',
  accepts: (value) => Array.isArray(value) && value.every(isText),
};
const object: Contract = { expected: 'an object or null', accepts: isObject };
const objects: Contract = {
  expected: 'an array of objects',
  accepts: (value) => Array.isArray(value) && value.every(isObject),
};
const boolean: Contract = {
  expected: 'a boolean or null',
  accepts: (value) => typeof value === 'boolean',
};
const integer: Contract = {
  expected: 'a 32-bit integer or null',
  accepts: (value) => Number.isInteger(value) && Number(value) === (Number(value) | 0),
};

/** A field of a study: its type, its value in `wholeStudy`, and whether it may be missing or `null`. */
interface Field<Value> {
  readonly contract: Contract;
  readonly value: Value;
  readonly mayBeMissing: boolean;
  readonly mayBeNull: boolean;
}

function required<Value>(contract: Contract, value: Value): Field<Value> {
  return { contract, value, mayBeMissing: false, mayBeNull: false };
}

function nullable<Value>(contract: Contract, value: Value): Field<Value> {
  return { contract, value, mayBeMissing: false, mayBeNull: true };
}

function optional<Value>(contract: Contract, value: Value): Field<Value> {
  return { contract, value, mayBeMissing: true, mayBeNull: true };
}

/** All fields of a study. Add each new field of the Study API here. */
export const fields = {
  id: required(uuid, '0b9d1f2a-6d55-4a6e-9d5c-0c8f5d1f7a11'),
  description: optional(text, 'Why do people leave?'),
  projectId: required(uuid, '123e4567-e89b-12d3-a456-426614174000'),
  createdAt: optional(dateTime, '2026-03-01T09:30:00.123456+01:00'),
  bookmarked: optional(boolean, true),
  language: optional(text, 'en'),
  audiences: required(texts, ['People who left']),
  audiencesObj: required(objects, [{ name: 'People who left', size: 3 }]),
  problems: required(texts, ['It takes too long']),
  problemsObj: required(objects, [{ name: 'It takes too long' }]),
  files: required(texts, ['interview.pdf']),
  planId: nullable(text, 'plan-7'),
  progress: optional(object, { total: 12, completed: 3, failed: 1 }),
  status: optional(text, 'running'),
  solutionId: optional(text, '3f2b8c1e-7a41-4b5e-8a57-6d0d6a6f1c22'),
  solution: optional(object, {
    id: '3f2b8c1e-7a41-4b5e-8a57-6d0d6a6f1c22',
    title: 'A shorter form',
  }),
  researchGoalId: optional(text, '9c5e2d77-1b1c-4d3f-9f0a-5a4e7b8c9d33'),
  researchGoal: optional(object, { text: 'Find the step' }),
  knowledgeGraphs: optional(texts, ['graph-1']),
  strategy: optional(text, 'problem_exploration'),
  interviewCount: optional(integer, 12),
  interviews: required(texts, ['interview-1']),
  summaries: required(texts, ['summary-1']),
};

export type StudyField = keyof typeof fields;

/** A complete study, with all fields set, as the Study API answers. */
export const wholeStudy = Object.fromEntries(
  Object.entries(fields).map(([name, { value }]) => [name, value]),
) as { [Name in StudyField]: (typeof fields)[Name]['value'] };

/** Returns a page of studies as the Study API answers; `more` adds or overrides properties. */
export function toPage(
  items: readonly unknown[],
  more: object = {},
): Readonly<Record<string, unknown>> {
  return { items, total: items.length, page: 1, size: 50, pages: 1, ...more };
}

/** Returns an id that names the same study and is spelled in another way: equal reads of one operation are one call. */
export function respell(id: string, number: number): string {
  let letters = 0;
  return id.replaceAll(/[a-f]/g, (letter) =>
    (number >> letters++) % 2 === 1 ? letter.toUpperCase() : letter,
  );
}
