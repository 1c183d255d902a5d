import { GraphQLJSONObject } from 'graphql-scalars';
import { Field, ID, Int, ObjectType, registerEnumType } from 'type-graphql';
import { DateTimeScalar } from '../scalars/date-time.scalar.js';
import { UuidScalar } from '../scalars/uuid.scalar.js';
import { SemanticNonNull } from '../semantic-non-null.js';
import { StudyStrategy, type StudyWire } from './study.wire.js';

const strategyDescription =
  'One of the six values that the Study API’s response is documented to hold.';

registerEnumType(StudyStrategy, {
  name: 'StudyStrategy',
  description:
    'The strategy of a study. The values are the wire’s own, so they can be sent back as they are.',
  valuesConfig: Object.fromEntries(
    Object.keys(StudyStrategy).map((value) => [value, { description: strategyDescription }]),
  ),
});

// simpleResolvers: the fields are read straight from what study.wire returns, without a wrapper for each.

@ObjectType({
  simpleResolvers: true,
  description: 'Progress of a study: three integers. What they count is not documented.',
})
export class Progress {
  @Field(() => Int, { nullable: true, description: 'An integer.' })
  total?: number | null;

  @Field(() => Int, { nullable: true, description: 'An integer.' })
  completed?: number | null;

  @Field(() => Int, { nullable: true, description: 'An integer.' })
  failed?: number | null;
}

/**
 * Only the id is non-null: any other broken field would erase the whole study. What both the document and the public reference
 * mark as required is `@SemanticNonNull()`.
 */
@ObjectType({
  simpleResolvers: true,
  description:
    'A study of the Study API. A field that breaks the API’s contract is an error in its own place.',
})
export class Study implements StudyWire {
  @Field(() => ID, { description: 'The id of the study.' })
  id!: string;

  @Field(() => String, { nullable: true, description: 'Free text.' })
  description?: string | null;

  @SemanticNonNull()
  @Field(() => UuidScalar, {
    nullable: true,
    description: 'The project that the study belongs to.',
  })
  projectId!: string;

  @Field(() => DateTimeScalar, {
    nullable: true,
    description: 'ISO 8601 date and time, as the Study API wrote it.',
  })
  createdAt?: string | null;

  @Field(() => Boolean, { nullable: true, description: 'True or false.' })
  bookmarked?: boolean | null;

  @Field(() => String, { nullable: true, description: 'Free text.' })
  language?: string | null;

  @SemanticNonNull()
  @Field(() => [String], { nullable: true, description: 'The audiences as strings.' })
  audiences!: string[];

  @SemanticNonNull()
  @Field(() => [GraphQLJSONObject], {
    nullable: true,
    description: 'The audiences as objects, whose structure is not documented: passed on whole.',
  })
  audiencesObj!: Record<string, unknown>[];

  @SemanticNonNull()
  @Field(() => [String], { nullable: true, description: 'The problems as strings.' })
  problems!: string[];

  @SemanticNonNull()
  @Field(() => [GraphQLJSONObject], {
    nullable: true,
    description: 'The problems as objects, whose structure is not documented: passed on whole.',
  })
  problemsObj!: Record<string, unknown>[];

  @SemanticNonNull()
  @Field(() => [String], { nullable: true, description: 'The files as strings.' })
  files!: string[];

  @Field(() => String, {
    nullable: true,
    description: 'The id of a plan. It is only read: no request body has it.',
  })
  planId!: string | null;

  @Field(() => Progress, { nullable: true, description: 'The three progress integers.' })
  progress?: Progress | null;

  @Field(() => String, {
    nullable: true,
    description: 'Free text; its values and transitions are not documented.',
  })
  status?: string | null;

  @Field(() => String, {
    nullable: true,
    description: 'The id of a solution, as the Study API wrote it.',
  })
  solutionId?: string | null;

  @Field(() => GraphQLJSONObject, {
    nullable: true,
    description: 'The solution, an object whose structure is not documented: passed on whole.',
  })
  solution?: Record<string, unknown> | null;

  @Field(() => String, {
    nullable: true,
    description: 'The id of a research goal, as the Study API wrote it.',
  })
  researchGoalId?: string | null;

  @Field(() => GraphQLJSONObject, {
    nullable: true,
    description: 'The research goal, an object whose structure is not documented: passed on whole.',
  })
  researchGoal?: Record<string, unknown> | null;

  @Field(() => [String], { nullable: true, description: 'The knowledge graphs as strings.' })
  knowledgeGraphs?: string[] | null;

  @Field(() => StudyStrategy, {
    nullable: true,
    description: 'The strategy. Free text in the inputs, one of six values here.',
  })
  strategy?: keyof typeof StudyStrategy | null;

  @Field(() => Int, { nullable: true, description: 'An integer.' })
  interviewCount?: number | null;

  @SemanticNonNull()
  @Field(() => [String], { nullable: true, description: 'The interviews as strings.' })
  interviews!: string[];

  @SemanticNonNull()
  @Field(() => [String], {
    nullable: true,
    description: 'The summaries as strings. They are only read: no request body has them.',
  })
  summaries!: string[];
}
