import { toLabel } from './inputs.js';
import { fields, wholeStudy, type StudyField } from './studies.js';

export const studyFields = Object.keys(fields) as StudyField[];

/** The fields of a study that the contract never allows to be `null`. */
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
  ['a string', 'yesterday'],
  ['a string', '2026-01-02'],
  ['a string', '{123e4567-e89b-12d3-a456-426614174000}'],
  ['a string', 'constructor'],
  ['an object', {}],
  ['an object', { length: 0 }],
];

export interface BrokenField {
  readonly field: StudyField;
  /** The value that breaks the contract; `undefined` if the field is missing. */
  readonly value: unknown;
  readonly expected: string;
  readonly received: string;
  readonly title: string;
}

/** Every field of a study, paired with every kind of value that breaks the field's contract. */
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

/** Every list field of a study, paired with lists that have an item of a wrong kind. */
export const brokenItems: readonly { readonly field: StudyField; readonly value: unknown[] }[] =
  studyFields.flatMap((field) => {
    const { expected } = fields[field].contract;
    if (expected === 'an array of strings')
      return [[1], [null], ['a', true], [['a']], [{}]].map((value) => ({ field, value }));
    if (expected === 'an array of objects')
      return [['x'], [null], [{}, 1], [[]], [{}, [{}]]].map((value) => ({ field, value }));
    return [];
  });

/** Returns a complete study without the given fields. */
export function without(...fields: readonly StudyField[]): object {
  const left: readonly string[] = fields;
  return Object.fromEntries(Object.entries(wholeStudy).filter(([name]) => !left.includes(name)));
}
