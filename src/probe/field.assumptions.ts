import { studyFields, toWireName, type StudyField } from '../study/study.wire.js';
import type { Assumption } from './assumption.js';
import {
  asError,
  findStudies,
  judgeField,
  judgeFurther,
  noStudy,
  type Presence,
} from './field.check.js';
import { judge } from './verdict.js';

/** Source of type and presence, and the words for a type that the schema's message does not say whole. */
type Promised = readonly [Presence, Assumption['source'], string?];

/** What the sources say of each field beyond the schema of study.wire, by the field's name in GraphQL. */
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
        noStudy,
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
        noStudy,
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

function toFieldAssumption({ name, wireName, schema }: StudyField): Assumption {
  const [presence, source, words] = promises[name] ?? ['optional', 'assumed'];
  // A symbol is no value of JSON, so that the message says what is expected.
  const message = schema.safeParse(Symbol()).error?.issues[0]?.message;
  const expected = words ?? message ?? 'anything';
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
    check: (evidence) => judgeField(evidence, wireName, presence),
  };
}
