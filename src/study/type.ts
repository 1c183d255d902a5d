import { GraphQLJSONObject } from 'graphql-scalars';
import { Field, ID, InputType, Int, ObjectType } from 'type-graphql';
import { DateTimeScalar, UuidScalar } from '../scalars/scalars.js';
import { SemanticNonNull } from '../scalars/semantic-non-null.js';
import { knownStrategies } from './wire.js';

/** Returns the options of a nullable field or argument. */
export function nullable(description: string) {
  return { nullable: true, description } as const;
}

// With `simpleResolvers`, graphql-js reads the fields directly from the object that wire.ts returns.

const ofProgress = 'Progress of a study: three integers, whose meaning is not documented.';

/** The type in answers, and in inputs as `ProgressInput`. */
@ObjectType({ simpleResolvers: true, description: ofProgress })
@InputType('ProgressInput', { description: ofProgress })
export class Progress {
  @Field(() => Int, nullable('An integer.'))
  total?: number | null;

  @Field(() => Int, nullable('An integer.'))
  completed?: number | null;

  @Field(() => Int, nullable('An integer.'))
  failed?: number | null;
}

/**
 * The thirteen fields that both mutations accept and that answers show, in the order of the Study API's document, from
 * which the facts in the descriptions come. An input needs none of them, because no field is known to be required.
 * `@SemanticNonNull()` concerns answers: it marks the fields that both the document and the public reference require.
 */
@ObjectType({ simpleResolvers: true })
@InputType()
export abstract class CommonFields {
  @Field(() => String, nullable('Free text.'))
  description?: string | null;

  @SemanticNonNull()
  @Field(() => UuidScalar, nullable('Id of the project that the study belongs to.'))
  projectId?: string | null;

  @Field(
    () => DateTimeScalar,
    nullable('RFC 3339 date and time, passed on unchanged. The offset may be missing.'),
  )
  createdAt?: string | null;

  @Field(() => Boolean, nullable('True or false.'))
  bookmarked?: boolean | null;

  @Field(() => String, nullable('Free text.'))
  language?: string | null;

  @SemanticNonNull()
  @Field(() => [String], nullable('The audiences as strings.'))
  audiences?: string[] | null;

  @SemanticNonNull()
  @Field(() => [String], nullable('The files as strings.'))
  files?: string[] | null;

  @Field(() => Progress, nullable('The three progress integers.'))
  progress?: Progress | null;

  @Field(() => String, nullable('Free text. The values and their transitions are not documented.'))
  status?: string | null;

  @Field(() => [String], nullable('The knowledge graphs as strings.'))
  knowledgeGraphs?: string[] | null;

  @Field(
    () => String,
    nullable(
      `Free text, passed on unchanged. The documented values are ${knownStrategies.map((name) => `\`${name}\``).join(', ')}.`,
    ),
  )
  strategy?: string | null;

  @Field(() => Int, nullable('An integer.'))
  interviewCount?: number | null;

  @SemanticNonNull()
  @Field(() => [String], nullable('The interviews as strings.'))
  interviews?: string[] | null;
}

const passedOn = 'Passed on with the exact value of each number. The structure is not documented.';

/**
 * Only `id` is non-null: if any other non-null field broke the contract, GraphQL would set the whole study to `null`.
 */
@ObjectType({
  simpleResolvers: true,
  description:
    'A study of the Study API. If a field other than `id` breaks the API’s contract, only that field is `null`, with an error.',
})
export class Study extends CommonFields {
  @Field(() => ID, { description: 'Id of the study.' })
  id!: string;

  @SemanticNonNull()
  @Field(() => [GraphQLJSONObject], nullable(`The audiences as objects. ${passedOn}`))
  audiencesObj?: Record<string, unknown>[] | null;

  @SemanticNonNull()
  @Field(() => [String], nullable('The problems as strings.'))
  problems?: string[] | null;

  @SemanticNonNull()
  @Field(() => [GraphQLJSONObject], nullable(`The problems as objects. ${passedOn}`))
  problemsObj?: Record<string, unknown>[] | null;

  @Field(() => String, nullable('Id of a plan. Read-only: no mutation accepts it.'))
  planId?: string | null;

  @Field(() => String, nullable('Id of a solution, exactly as the Study API sends it.'))
  solutionId?: string | null;

  @Field(() => GraphQLJSONObject, nullable(`The solution, an object. ${passedOn}`))
  solution?: Record<string, unknown> | null;

  @Field(() => String, nullable('Id of a research goal, exactly as the Study API sends it.'))
  researchGoalId?: string | null;

  @Field(() => GraphQLJSONObject, nullable(`The research goal, an object. ${passedOn}`))
  researchGoal?: Record<string, unknown> | null;

  @SemanticNonNull()
  @Field(() => [String], nullable('The summaries as strings. Read-only: no mutation accepts them.'))
  summaries?: string[] | null;
}

@ObjectType({
  simpleResolvers: true,
  description:
    'One page of the list of studies. A number that the Study API does not send is `null`.',
})
export class StudyPage {
  @Field(() => [Study], {
    nullable: 'itemsAndList',
    description:
      'The studies on this page. A study that cannot be read is `null`, and `errors` has an error for this item.',
  })
  @SemanticNonNull([0, 1])
  items?: (Study | null)[] | null;

  @Field(() => Int, nullable('Page number, from 1.'))
  page?: number | null;

  @Field(() => Int, nullable('Maximum number of studies on a page.'))
  size?: number | null;

  @Field(() => Int, nullable('Total number of studies on all pages.'))
  total?: number | null;

  @Field(() => Int, nullable('Total number of pages.'))
  pages?: number | null;
}
