import { GraphQLJSONObject } from 'graphql-scalars';
import { Field, ID, Int, ObjectType } from 'type-graphql';
import { DateTimeScalar, UuidScalar } from '../scalars/scalars.js';
import { SemanticNonNull } from '../scalars/semantic-non-null.js';
import { strategyNames } from './strategies.js';
import { MAX_LEVELS, type StudyWire } from './study.wire.js';

const passedOn =
  'Passed on with the exact value of each number. The structure is not documented. ' +
  `An object with more than ${MAX_LEVELS} levels is an error.`;

// With `simpleResolvers`, graphql-js reads the fields directly from the object that study.wire.ts returns.

@ObjectType({
  simpleResolvers: true,
  description: 'Progress of a study: three integers, whose meaning is not documented.',
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
 * Only `id` is non-null: if any other non-null field broke the contract, GraphQL would set the whole study to `null`.
 * `@SemanticNonNull()` marks the fields that both the document and the public reference require.
 */
@ObjectType({
  simpleResolvers: true,
  description:
    'A study of the Study API. If a field other than `id` breaks the API’s contract, only that field is `null`, with an error.',
})
export class Study implements StudyWire {
  @Field(() => ID, { description: 'Id of the study.' })
  id!: string;

  @Field(() => String, { nullable: true, description: 'Free text.' })
  description?: string | null;

  @SemanticNonNull()
  @Field(() => UuidScalar, {
    nullable: true,
    description: 'Id of the project that the study belongs to.',
  })
  projectId!: string;

  @Field(() => DateTimeScalar, {
    nullable: true,
    description:
      'RFC 3339 date and time, exactly as the Study API sends it. The offset may be missing.',
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
    description: `The audiences as objects. ${passedOn}`,
  })
  audiencesObj!: Record<string, unknown>[];

  @SemanticNonNull()
  @Field(() => [String], { nullable: true, description: 'The problems as strings.' })
  problems!: string[];

  @SemanticNonNull()
  @Field(() => [GraphQLJSONObject], {
    nullable: true,
    description: `The problems as objects. ${passedOn}`,
  })
  problemsObj!: Record<string, unknown>[];

  @SemanticNonNull()
  @Field(() => [String], { nullable: true, description: 'The files as strings.' })
  files!: string[];

  @Field(() => String, {
    nullable: true,
    description: 'Id of a plan. Read-only: no mutation accepts it.',
  })
  planId!: string | null;

  @Field(() => Progress, { nullable: true, description: 'The three progress integers.' })
  progress?: Progress | null;

  @Field(() => String, {
    nullable: true,
    description: 'Free text. The values and their transitions are not documented.',
  })
  status?: string | null;

  @Field(() => String, {
    nullable: true,
    description: 'Id of a solution, exactly as the Study API sends it.',
  })
  solutionId?: string | null;

  @Field(() => GraphQLJSONObject, {
    nullable: true,
    description: `The solution, an object. ${passedOn}`,
  })
  solution?: Record<string, unknown> | null;

  @Field(() => String, {
    nullable: true,
    description: 'Id of a research goal, exactly as the Study API sends it.',
  })
  researchGoalId?: string | null;

  @Field(() => GraphQLJSONObject, {
    nullable: true,
    description: `The research goal, an object. ${passedOn}`,
  })
  researchGoal?: Record<string, unknown> | null;

  @Field(() => [String], { nullable: true, description: 'The knowledge graphs as strings.' })
  knowledgeGraphs?: string[] | null;

  @Field(() => String, {
    nullable: true,
    description: `Free text, exactly as the Study API sends it. The documented values are ${strategyNames}.`,
  })
  strategy?: string | null;

  @Field(() => Int, { nullable: true, description: 'An integer.' })
  interviewCount?: number | null;

  @SemanticNonNull()
  @Field(() => [String], { nullable: true, description: 'The interviews as strings.' })
  interviews!: string[];

  @SemanticNonNull()
  @Field(() => [String], {
    nullable: true,
    description: 'The summaries as strings. Read-only: no mutation accepts them.',
  })
  summaries!: string[];
}
