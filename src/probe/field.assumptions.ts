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
    access: 'reads',
    place,
    consequence:
      '`strategy` is `null`, or an error if it is selected; `knowledgeGraphs` is unaffected.',
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
    claim: '`createdAt` has an offset.',
    source: 'document',
    access: 'reads',
    place: 'scalars/date-time.ts',
    needs: 'field.createdAt',
    consequence:
      'The text is passed on unchanged. A browser interprets a time without an offset as local time.',
    change: 'Add the offset of the Study API in frontends, before they parse the text.',
    check: (evidence) =>
      judge(
        findStudies(evidence).flatMap(({ number, study: { hasOffset } }) => {
          if (hasOffset === undefined) return [];
          return [{ number, fault: hasOffset ? undefined : 'without an offset' }];
        }),
        noStudy,
      ),
  },
  {
    id: 'field.no-other',
    claim: 'A study has no fields beyond the 23 of the GraphQL schema.',
    source: 'reference',
    access: 'reads',
    place,
    consequence:
      'No effect: the gateway ignores other fields, and logs each of them once as drift.',
    change: 'Add the fields that frontends need, as CONTRIBUTING.md says.',
    check: judgeFurther,
  },
];

function toFieldAssumption({ name, wireName, schema }: StudyField): Assumption {
  const [presence, source, words] = promises[name] ?? ['optional', 'assumed'];
  // No field accepts a symbol, so parsing a symbol yields the message with the expected type.
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
