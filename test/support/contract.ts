import { toLabel } from './inputs.js';
import { fields, wholeStudy, type StudyField } from './studies.js';

export const studyFields = Object.keys(fields) as StudyField[];

/** The fields that are never `null`. */
export const requiredFields: readonly StudyField[] = studyFields.filter(
  (field) => !fields[field].mayBeNull,
);

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
  const { contract, mayBeMissing, mayBeNull } = fields[field];
  const { expected, accepts } = contract;
  const isBroken = (value: unknown): boolean => {
    if (value === undefined) return !mayBeMissing;
    return value === null ? !mayBeNull : !accepts(value);
  };
  const isList = expected.startsWith('an array');
  return [...candidates, ...(isList ? [] : ([['an array', []]] as const))]
    .filter(([, value]) => isBroken(value))
    .map(([received, value]) => {
      const title = `${field} = ${toLabel(value)}`;
      return { field, value, expected, received, title };
    });
});

/** A whole study but for `left`. */
export function without(...left: readonly StudyField[]): object {
  const names: readonly string[] = left;
  return Object.fromEntries(Object.entries(wholeStudy).filter(([name]) => !names.includes(name)));
}
