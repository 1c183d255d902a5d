import { toLabel } from './inputs.js';
import { wholeStudy } from './studies.js';

export type StudyField = keyof typeof wholeStudy;

/** A type of the contract, and in which words the gateway says that it was expected. */
interface Contract {
  readonly expected: string;
  readonly accepts: (value: unknown) => boolean;
}

const isText = (value: unknown): boolean => typeof value === 'string';
const isObject = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const uuid: Contract = { expected: 'a UUID', accepts: () => false };
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

const contracts: Record<StudyField, Contract> = {
  id: uuid,
  description: text,
  projectId: uuid,
  createdAt: text,
  bookmarked: boolean,
  language: text,
  audiences: texts,
  audiencesObj: objects,
  problems: texts,
  problemsObj: objects,
  files: texts,
  planId: text,
  progress: { expected: 'an object or null', accepts: isObject },
  status: text,
  solutionId: text,
  solution: object,
  researchGoalId: text,
  researchGoal: object,
  knowledgeGraphs: texts,
  strategy: { expected: 'one of the six strategies or null', accepts: () => false },
  interviewCount: integer,
  interviews: texts,
  summaries: texts,
};

export const studyFields = Object.keys(contracts) as StudyField[];

/** The fields that the Study API must send, and not as `null`. Only the id is non-null in GraphQL. */
export const requiredFields: readonly StudyField[] = [
  'id',
  'projectId',
  'audiences',
  'audiencesObj',
  'problems',
  'problemsObj',
  'files',
  'interviews',
  'summaries',
];

const candidates: readonly [received: string, value: unknown][] = [
  ['nothing', undefined],
  ['null', null],
  ['a boolean', true],
  ['a boolean', false],
  ['a number', 0],
  ['a number', 1.5],
  ['a number', 2_147_483_648],
  ['a number', -2_147_483_649],
  ['a number', 1e300],
  ['a string', ''],
  ['a string', 'seventh_strategy'],
  ['a string', '{123e4567-e89b-12d3-a456-426614174000}'],
  ['a string', 'constructor'],
  ['an object', {}],
  ['an object', { length: 0 }],
];

export interface BrokenField {
  readonly field: StudyField;
  /** `undefined`: the field is missing. */
  readonly value: unknown;
  readonly expected: string;
  readonly received: string;
  readonly title: string;
}

/** Every field with every kind of value that breaks its contract. */
export const brokenFields: readonly BrokenField[] = studyFields.flatMap((field) => {
  const { expected, accepts } = contracts[field];
  // Missing is not null: planId must be there.
  const isBroken = (value: unknown): boolean => {
    if (requiredFields.includes(field)) return !accepts(value);
    return value === undefined ? field === 'planId' : value !== null && !accepts(value);
  };
  const isList = expected.startsWith('an array');
  return [...candidates, ...(isList ? [] : ([['an array', []]] as const))]
    .filter(([, value]) => isBroken(value))
    .map(([received, value]) => {
      const title = `${field} = ${toLabel(value)}`;
      return { field, value, expected, received, title };
    });
});

/** Every list with every kind of item that breaks the list. */
export const brokenItems: readonly { readonly field: StudyField; readonly value: unknown[] }[] =
  studyFields.flatMap((field) => {
    const { expected } = contracts[field];
    if (expected === 'an array of strings')
      return [[1], [null], ['a', true], [['a']], [{}]].map((value) => ({ field, value }));
    if (expected === 'an array of objects')
      return [['x'], [null], [{}, 1], [[]], [{}, [{}]]].map((value) => ({ field, value }));
    return [];
  });

/** An object of 501 levels, one more than the gateway reads. */
const tooDeep: unknown = JSON.parse(`${'{"a":'.repeat(500)}{}${'}'.repeat(500)}`);

interface BrokenPart {
  readonly field: StudyField;
  readonly value: unknown;
  /** Where the error stands, from the study. */
  readonly path: readonly string[];
  readonly title: string;
}

/** Every field with everything that breaks the field or a part of the field. */
export const brokenParts: readonly BrokenPart[] = [
  ...brokenFields.map(({ field, value, title }) => ({ field, value, path: [field], title })),
  ...brokenItems.map(({ field, value }) => ({
    field,
    value,
    path: [field],
    title: `${field} = ${toLabel(value)}`,
  })),
  ...studyFields.flatMap((field): BrokenPart[] => {
    const { expected } = contracts[field];
    const title = `${field}, too deep`;
    if (field === 'progress' || !expected.includes('object')) return [];
    const value = expected === 'an array of objects' ? [{}, tooDeep] : tooDeep;
    return [{ field, value, path: [field], title }];
  }),
  ...Object.keys(wholeStudy.progress).flatMap((part): BrokenPart[] =>
    [true, '1', 0.5, 2_147_483_648, [], {}].map((broken) => ({
      field: 'progress',
      value: { ...wholeStudy.progress, [part]: broken },
      path: ['progress', part],
      title: `progress.${part} = ${toLabel(broken)}`,
    })),
  ),
];

/** A whole study but for `fields`. */
export function without(...fields: readonly StudyField[]): object {
  const left: readonly string[] = fields;
  return Object.fromEntries(Object.entries(wholeStudy).filter(([name]) => !left.includes(name)));
}
