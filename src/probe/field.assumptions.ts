import { studyFields, type StudyField } from '../study/study.wire.js';
import { toAnswers, type Evidence, type StudyFacts } from './observation.js';
import {
  isNew,
  judge,
  unknown,
  type Assumption,
  type Refutation,
  type Verdict,
} from './verdict.js';

/** `value`: always present and never `null`; `nullable`: always present; `optional`: may be `null` or missing. */
type Presence = 'value' | 'nullable' | 'optional';

/** A study, and the number of the request whose answer contained the study. */
interface Found {
  readonly number: number;
  readonly study: StudyFacts;
}

/** Maximum number of unknown fields in the report. A body that uses values as keys could have thousands. */
const MAX_FURTHER = 50;

const noStudy = 'no study was read';

const asError: Refutation = {
  consequence:
    'Clients that select the field get an error for it; the other fields are unaffected.',
  change: 'Correct the type of the field in `studySchema` of study/study.wire.ts.',
};
const asNull: Refutation = {
  consequence: 'No effect, except that the field is `null`.',
  change: 'Nothing.',
};
const NULL_STUDY =
  'The study is `null`, with an error, because `id` is the only field that must not be `null`.';
const RENAME = 'Name the field in a contract: STUDY_API_CONTRACT.';

/** Presence of a field, source of its type and presence, and the type in words if the schema's message is incomplete. */
type Promised = readonly [Presence, Assumption['source'], string?];

/** Presence and source of each field, by GraphQL name. The types come from the schema of study.wire. */
const promises: Readonly<Record<string, Promised>> = {
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
  progress: ['optional', 'document', 'an object of three integers or null'],
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

/** Assumptions about the fields of a study. */
export const fieldAssumptions: readonly Assumption[] = [
  ...studyFields.map(toFieldAssumption),
  {
    id: 'field.strategy-or-graphs',
    claim: 'The strategies are in `strategy`, and not in `knowledgeGraphs`.',
    source: 'reference',
    place,
    consequence:
      '`strategy` is `null`, or an error if it is selected; `knowledgeGraphs` is unaffected.',
    change: 'Swap the two types in `studySchema` of study/study.wire.ts.',
    check: (evidence) =>
      judge(
        findStudies(evidence).filter(
          ({ study }) => study.hasStrategiesAsGraphs || /array|string/.test(toStrategyType(study)),
        ),
        ({ study }) => {
          if (toStrategyType(study) === 'an array') return '`strategy` is an array';
          return study.hasStrategiesAsGraphs ? '`knowledgeGraphs` has strategies only' : undefined;
        },
        noStudy,
      ),
  },
  {
    id: 'field.created-at-form',
    claim: '`createdAt` has an offset.',
    source: 'document',
    place: 'scalars/formats.ts',
    needs: 'field.createdAt',
    consequence:
      'The text is passed on unchanged. A browser interprets a time without an offset as local time.',
    change: 'Add the offset of the Study API in frontends, before they parse the text.',
    check: (evidence) =>
      judge(
        findStudies(evidence).filter(({ study }) => study.hasOffset !== undefined),
        ({ study }) => (study.hasOffset ? undefined : 'without an offset'),
        noStudy,
      ),
  },
  {
    id: 'field.no-other',
    claim: 'A study has no fields beyond those of the GraphQL schema.',
    source: 'reference',
    place,
    consequence:
      'No effect: the gateway ignores other fields, and logs each of them once as drift.',
    change: 'Add the fields that frontends need, as CONTRIBUTING.md says.',
    check: judgeFurther,
  },
];

function toStrategyType({ fields }: StudyFacts): string {
  return fields.get('strategy')!.type;
}

function toFieldAssumption(field: StudyField): Assumption {
  const { name, schema } = field;
  const [presence, source, words] = promises[name] ?? ['optional', 'assumed'];
  // No field accepts a symbol, so parsing a symbol yields the message with the expected type.
  const message = schema.safeParse(Symbol()).error?.issues[0]?.message;
  const expected = words ?? message ?? 'anything';
  const type = presence === 'value' ? expected.replace(/ or null$/, '') : expected;
  const ending = presence === 'optional' ? ', or missing' : '';
  return {
    id: `field.${name}`,
    claim: `\`${name}\` is ${type}${ending}.`,
    source,
    place,
    ...(name === 'strategy' && { needs: 'field.strategy-or-graphs' }),
    ...asError,
    check: (evidence) => judgeField(evidence, field, presence),
  };
}

/** Returns the studies that were read by id; if there are none, the items of the first list. */
function findStudies(evidence: Evidence): Found[] {
  const [read = [], listed = []] = ['read', 'list'].map((step) =>
    toAnswers(evidence, step).flatMap(({ number, studies }) =>
      studies.map((study) => ({ number, study })),
    ),
  );
  return read.length > 0 ? read : listed;
}

/** Judges name, type and presence of one field. The verdict is `UNKNOWN` if no study has a value for the field. */
function judgeField(evidence: Evidence, { name }: StudyField, presence: Presence): Verdict {
  const found = findStudies(evidence).map(({ number, study: { fields } }) => {
    // A further field whose name differs only in style: `plan_id` for `planId`.
    const namesake = [...fields.keys()].find(
      (other) => other !== name && toBareName(other) === toBareName(name),
    );
    const { type, fault } = fields.get(name)!;
    return { number, type, fault, namesake: type === 'nothing' ? namesake : undefined };
  });
  const verdict = judge(
    found,
    ({ type, fault, namesake }) => {
      if (namesake !== undefined) return `\`${namesake}\` instead`;
      if (type === 'nothing') return presence === 'optional' ? undefined : 'missing';
      return type === 'null' && presence === 'value' ? 'null' : fault;
    },
    noStudy,
  );
  if (verdict.verdict === 'REFUTED') {
    // The consequence depends on the gateway's schema, which accepts more than the sources.
    const texts = found.some(({ fault }) => fault !== undefined) ? asError : asNull;
    const consequence = name === 'id' ? NULL_STUDY : texts.consequence;
    const change = found.some(({ namesake }) => namesake !== undefined) ? RENAME : texts.change;
    return { ...verdict, refutation: { consequence, change } };
  }
  const absences = found.map(({ type }) => type).filter((type) => /^(?:null|nothing)$/.test(type));
  if (found.length === 0 || absences.length < found.length) return verdict;
  const absence = absences.includes('null') ? 'null' : 'missing';
  return unknown(`${absence} in ${found.length} of ${found.length}`);
}

function toBareName(name: string): string {
  return name.replaceAll('_', '').toLowerCase();
}

/** Returns one `NEW` verdict for each unknown field. The name of a known field in another style is not new. */
function judgeFurther(evidence: Evidence): Verdict | readonly Verdict[] {
  const found = findStudies(evidence);
  const known = new Set(studyFields.map(({ name }) => toBareName(name)));
  const further = found.flatMap(({ number, study }) =>
    [...study.fields]
      .filter(([name]) => !known.has(toBareName(name)))
      .map(([name, { type }]) => ({ number, claim: `\`${name}\`: ${type}` })),
  );
  if (further.length === 0) return judge(found, () => undefined, noStudy);
  const groups = [...Map.groupBy(further, ({ claim }) => claim)].slice(0, MAX_FURTHER);
  return groups.map(([claim, cases]) =>
    Object.assign(isNew(`${cases.length} of ${found.length}`, ...cases), { claim }),
  );
}
