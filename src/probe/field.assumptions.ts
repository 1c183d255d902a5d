import { studyFields, type StudyField } from '../study/study.wire.js';
import type { Assumption } from './assumption.js';
import { toAnswers, type Evidence, type Observation, type StudyFacts } from './observation.js';
import { judge, unknown, type Case, type Refutation, type Verdict } from './verdict.js';

/** `value`: always there and never `null`; `nullable`: always there; `optional`: may be `null` or missing. */
type Presence = 'value' | 'nullable' | 'optional';

/** What the sources say of each field beyond the schema of study.wire, by its name in GraphQL: see docs/study-api.md. */
const promises: Readonly<Record<string, readonly [Presence, Assumption['source']]>> = {
  id: ['value', 'reference'],
  description: ['nullable', 'reference'],
  projectId: ['value', 'document'],
  createdAt: ['value', 'reference'],
  bookmarked: ['value', 'reference'],
  language: ['value', 'reference'],
  audiences: ['value', 'document'],
  audiencesObj: ['value', 'document'],
  problems: ['value', 'document'],
  problemsObj: ['value', 'document'],
  files: ['value', 'document'],
  planId: ['nullable', 'document'],
  progress: ['optional', 'document'],
  status: ['value', 'reference'],
  solutionId: ['optional', 'document'],
  solution: ['optional', 'document'],
  researchGoalId: ['optional', 'document'],
  researchGoal: ['optional', 'document'],
  knowledgeGraphs: ['optional', 'document'],
  strategy: ['value', 'reference'],
  interviewCount: ['optional', 'document'],
  interviews: ['value', 'document'],
  summaries: ['value', 'document'],
};

const place = 'study/study.wire.ts';

const asNull: Refutation = {
  consequence: 'Works all the same: the field is `null`.',
  change: 'Nothing.',
};
const asError: Refutation = {
  consequence: 'The field is an error where it is selected; the others arrive.',
  change: 'Correct the type of the field in `studySchema` of study/study.wire.ts.',
};
const ofId: Refutation = {
  consequence: 'The study is `null`, with an error: the id is the one field that is never `null`.',
  change: asError.change,
};
const otherName: Refutation = {
  consequence: 'The field is `null`, or an error where the schema requires it.',
  change: 'Write the name of the API into study/study.wire.ts.',
};

/** A study with the number of the request that it came with. */
interface Found {
  readonly number: number;
  readonly study: StudyFacts;
}

function toFound(observations: readonly Observation[]): Found[] {
  return observations.flatMap(({ number, studies }) => studies.map((study) => ({ number, study })));
}

/** The studies that were read; the items of the first list where none could be read. */
function findStudies(evidence: Evidence): Found[] {
  const read = toFound(toAnswers(evidence, 'read'));
  return read.length > 0 ? read : toFound(toAnswers(evidence, 'list'));
}

const noStudy = 'no study was read';

function toFieldAssumption({ name, wireName, schema }: StudyField): Assumption {
  const [presence, source] = promises[name] ?? ['optional', 'assumed'];
  // No value of JSON, so that the message says what is expected.
  const expected = schema.safeParse(Symbol()).error?.issues[0]?.message ?? 'anything';
  const type = presence === 'value' ? expected.replace(/ or null$/, '') : expected;
  const ending = presence === 'optional' ? ', or missing' : '';
  return {
    id: `field.${name}`,
    claim: `\`${wireName}\` is ${type}${ending}.`,
    source,
    access: 'reads',
    place,
    ...(name === 'strategy' && { needs: 'field.strategy-or-graphs' }),
    ...asError,
    check: (evidence) => judgeField(findStudies(evidence), name, wireName, presence),
  };
}

function judgeField(
  found: readonly Found[],
  name: string,
  wireName: string,
  presence: Presence,
): Verdict {
  const total = found.length;
  if (total === 0) return unknown(noStudy);
  const all = found.map(({ number, study }) => {
    const { type = 'nothing', fault } = study.fields.get(wireName) ?? {};
    const isMissing = type === 'nothing';
    const namesake = isMissing ? findNamesake(study, wireName) : undefined;
    const isPromised = !isMissing && type !== 'null' ? true : isAllowed(type, presence);
    const absence = isPromised ? undefined : isMissing ? 'missing' : 'null';
    return {
      number,
      type,
      isBroken: fault !== undefined,
      namesake,
      fault: namesake ? `\`${namesake}\` in its place` : isMissing ? absence : (fault ?? absence),
    };
  });
  const verdict = judge(all, noStudy);
  if (verdict.verdict === 'CONFIRMED') return judgeSeen(all, total, verdict);
  return { ...verdict, refutation: toRefutation(name, all) };
}

function isAllowed(type: string, presence: Presence): boolean {
  return presence === 'optional' || (presence === 'nullable' && type === 'null');
}

/** Confirms nothing by studies that all lack the value. */
function judgeSeen(
  all: readonly (Case & { readonly type: string })[],
  total: number,
  verdict: Verdict,
): Verdict {
  const isSeen = all.some(({ type }) => type !== 'null' && type !== 'nothing');
  if (isSeen) return verdict;
  const isMissing = all.every(({ type }) => type === 'nothing');
  return unknown(`${isMissing ? 'missing' : 'null'} in ${total} of ${total}`);
}

function toRefutation(
  name: string,
  all: readonly { readonly isBroken: boolean; readonly namesake?: string | undefined }[],
): Refutation {
  const hasNamesake = all.some(({ namesake }) => namesake !== undefined);
  if (name === 'id') return hasNamesake ? { ...ofId, change: otherName.change } : ofId;
  if (hasNamesake) return otherName;
  return all.some(({ isBroken }) => isBroken) ? asError : asNull;
}

/** `plan_id` for `planId`: a further field whose name differs in style only. */
function findNamesake({ fields }: StudyFacts, wireName: string): string | undefined {
  return [...fields.keys()].find(
    (name) => name !== wireName && toBareName(name) === toBareName(wireName),
  );
}

function toBareName(name: string): string {
  return name.replaceAll(/[_-]/g, '').toLowerCase();
}

/** One `NEW` for each field that the contract does not have; a name in another style is no new field. */
function judgeFurther(evidence: Evidence): Verdict | readonly Verdict[] {
  const found = findStudies(evidence);
  const known = new Set(studyFields.map(({ wireName }) => toBareName(wireName)));
  const further = found.flatMap(({ number, study }) =>
    [...study.fields]
      .filter(([name]) => !known.has(toBareName(name)))
      .map(([name, { type }]) => ({ number, claim: `\`${name}\`: ${type}` })),
  );
  if (further.length === 0) return judge(found, noStudy);
  return [...Map.groupBy(further, ({ claim }) => claim)].map(([claim, cases]) => ({
    verdict: 'NEW',
    claim,
    evidence: `${cases.length} of ${found.length}`,
    requests: [...new Set(cases.map(({ number }) => number))],
  }));
}

/** The fields of a study. */
export const fieldAssumptions: readonly Assumption[] = [
  ...studyFields.map(toFieldAssumption),
  {
    id: 'field.strategy-or-graphs',
    claim: 'The six strategies are the values of `strategy`, and not of `knowledgeGraphs`.',
    source: 'reference',
    access: 'reads',
    place,
    consequence:
      '`strategy` is `null`, or an error where it is selected; `knowledgeGraphs` arrives.',
    change: 'Swap the two types in `studySchema` of study/study.wire.ts.',
    check: (evidence) =>
      judge(
        findStudies(evidence).flatMap(({ number, study }) => {
          const { type } = study.fields.get(toWireName('strategy')) ?? {};
          if (type === 'an array') return [{ number, fault: '`strategy` is an array' }];
          if (study.hasStrategiesAsGraphs)
            return [{ number, fault: '`knowledgeGraphs` has strategies only' }];
          return type === 'a string' ? [{ number }] : [];
        }),
        'no study with a strategy was read',
      ),
  },
  {
    id: 'field.created-at-form',
    claim: '`createdAt` is written as RFC 3339 has it, with an offset.',
    source: 'document',
    access: 'reads',
    place: 'scalars/date-time.scalar.ts',
    needs: 'field.createdAt',
    consequence:
      'The text is passed on unchanged; a browser takes a time without an offset for its own local time.',
    change:
      'Let frontends read the form, or show `createdAt` as a `String` in study/study.type.ts.',
    check: (evidence) =>
      judge(
        findStudies(evidence).flatMap(({ number, study: { createdAt } }) => {
          if (createdAt === undefined) return [];
          return [{ number, fault: createdAt === 'RFC 3339' ? undefined : createdAt }];
        }),
        'no study with a `createdAt` was read',
      ),
  },
  {
    id: 'field.no-other',
    claim: 'A study has these 23 fields, and no other.',
    source: 'reference',
    access: 'reads',
    place,
    consequence: 'Works all the same: other fields are ignored, and logged as drift once.',
    change: 'Add the fields that frontends need, as CONTRIBUTING.md says.',
    check: judgeFurther,
  },
];

function toWireName(name: string): string {
  return studyFields.find((field) => field.name === name)?.wireName ?? name;
}
