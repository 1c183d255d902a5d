import { studyFields } from '../study/study.wire.js';
import { toAnswers, type Evidence, type Observation, type StudyFacts } from './observation.js';
import { judge, unknown, type Refutation, type Verdict } from './verdict.js';

/** `value`: always there and never `null`; `nullable`: always there; `optional`: may be `null` or missing. */
export type Presence = 'value' | 'nullable' | 'optional';

/** A study with the number of the request that it came with. */
interface Found {
  readonly number: number;
  readonly study: StudyFacts;
}

/** Most further fields that are named: an object may have values for keys. */
const MAX_FURTHER = 50;

export const noStudy = 'no study was read';

export const asError: Refutation = {
  consequence: 'The field is an error where it is selected; the others arrive.',
  change: 'Correct the type of the field in `studySchema` of study/study.wire.ts.',
};
const asNull: Refutation = {
  consequence: 'Works all the same: the field is `null`.',
  change: 'Nothing.',
};
const NULL_STUDY = 'The study is `null`, with an error: only the id may never be `null`.';
const RENAME = 'Change the line of the field in `wireNames` of study/study.wire.ts.';

/** The studies that were read; the items of the first list where none could be read. */
export function findStudies(evidence: Evidence): Found[] {
  const read = toFound(toAnswers(evidence, 'read'));
  return read.length > 0 ? read : toFound(toAnswers(evidence, 'list'));
}

function toFound(observations: readonly Observation[]): Found[] {
  return observations.flatMap(({ number, studies }) => studies.map((study) => ({ number, study })));
}

/** Judges name, type and presence of one field. Studies that all lack a value confirm nothing. */
export function judgeField(evidence: Evidence, wireName: string, presence: Presence): Verdict {
  const found = findStudies(evidence);
  const cases = found.map(({ number, study }) => ({
    number,
    fault: findFault(study, wireName, presence),
  }));
  const verdict = judge(cases, noStudy);
  const types = new Set(found.map(({ study }) => toType(study, wireName)));
  if (verdict.verdict === 'REFUTED')
    return { ...verdict, refutation: toRefutation(found, wireName) };
  if (found.length === 0 || [...types].some((type) => type !== 'null' && type !== 'nothing'))
    return verdict;
  const absence = types.has('null') ? 'null' : 'missing';
  return unknown(`${absence} in ${found.length} of ${found.length}`);
}

function toType({ fields }: StudyFacts, wireName: string): string {
  return fields.get(wireName)?.type ?? 'nothing';
}

/** What refutes the promise on a field in one study; `undefined` when nothing does. */
function findFault(study: StudyFacts, wireName: string, presence: Presence): string | undefined {
  const type = toType(study, wireName);
  if (type === 'nothing') {
    const namesake = findNamesake(study, wireName);
    if (namesake !== undefined) return `\`${namesake}\` in its place`;
    return presence === 'optional' ? undefined : 'missing';
  }
  if (type === 'null' && presence === 'value') return 'null';
  return study.fields.get(wireName)?.fault;
}

/** What the gateway does depends on its schema, which allows more than the sources promise. */
function toRefutation(found: readonly Found[], wireName: string): Refutation {
  const isBroken = found.some(({ study }) => study.fields.get(wireName)?.fault !== undefined);
  const isRenamed = found.some(
    ({ study }) => toType(study, wireName) === 'nothing' && findNamesake(study, wireName),
  );
  const { consequence, change } = isBroken ? asError : asNull;
  const isId = studyFields.some((field) => field.name === 'id' && field.wireName === wireName);
  return {
    consequence: isId ? NULL_STUDY : consequence,
    change: isRenamed ? RENAME : change,
  };
}

/** `plan_id` for `planId`: a further field whose name differs in style only. */
function findNamesake({ fields }: StudyFacts, wireName: string): string | undefined {
  return [...fields.keys()].find(
    (name) => name !== wireName && toBareName(name) === toBareName(wireName),
  );
}

function toBareName(name: string): string {
  return name.replaceAll('_', '').toLowerCase();
}

/** One `NEW` for each field that the contract does not have. A name in another style is no new field. */
export function judgeFurther(evidence: Evidence): Verdict | readonly Verdict[] {
  const found = findStudies(evidence);
  const known = new Set(studyFields.map(({ wireName }) => toBareName(wireName)));
  const further = found.flatMap(({ number, study }) =>
    [...study.fields]
      .filter(([name]) => !known.has(toBareName(name)))
      .map(([name, { type }]) => ({ number, claim: `\`${name}\`: ${type}` })),
  );
  if (further.length === 0) return judge(found, noStudy);
  const groups = [...Map.groupBy(further, ({ claim }) => claim)].slice(0, MAX_FURTHER);
  return groups.map(([claim, cases]) => ({
    verdict: 'NEW',
    claim,
    evidence: `${cases.length} of ${found.length}`,
    requests: [...new Set(cases.map(({ number }) => number))],
  }));
}
