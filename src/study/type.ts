import { GraphQLJSONObject } from 'graphql-scalars';
import { Field, ID, Int, ObjectType } from 'type-graphql';
import { SemanticNonNull } from '../scalars/semantic-non-null.js';
import { CommonFields, nullable } from './input.js';

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
