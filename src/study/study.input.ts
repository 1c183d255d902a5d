import { Field, InputType, Int } from 'type-graphql';
import { DateTimeScalar } from '../scalars/date-time.scalar.js';
import { UuidScalar } from '../scalars/uuid.scalar.js';

// Every field is optional, because none is known to be required. A field that is omitted stays out of the
// REST body, `null` is sent as `null`, and `[]` as `[]`. Facts in the descriptions: the document.

@InputType({
  description: 'Progress of a study: three integers. What they count is not documented.',
})
class ProgressInput {
  @Field(() => Int, { nullable: true, description: 'An integer.' })
  total?: number | null;

  @Field(() => Int, { nullable: true, description: 'An integer.' })
  completed?: number | null;

  @Field(() => Int, { nullable: true, description: 'An integer.' })
  failed?: number | null;
}

/** The thirteen fields that both bodies have, in the document's order. */
@InputType()
abstract class StudyFieldsInput {
  @Field(() => String, { nullable: true, description: 'Free text.' })
  description?: string | null;

  @Field(() => UuidScalar, {
    nullable: true,
    description: 'The project that the study belongs to.',
  })
  projectId?: string | null;

  @Field(() => DateTimeScalar, {
    nullable: true,
    description: 'ISO 8601 date and time with an offset; sent on as it is written here.',
  })
  createdAt?: string | null;

  @Field(() => Boolean, { nullable: true, description: 'True or false.' })
  bookmarked?: boolean | null;

  @Field(() => String, { nullable: true, description: 'Free text.' })
  language?: string | null;

  @Field(() => [String], { nullable: true, description: 'An array of strings.' })
  audiences?: string[] | null;

  @Field(() => [String], { nullable: true, description: 'An array of strings.' })
  files?: string[] | null;

  @Field(() => ProgressInput, { nullable: true, description: 'The three progress integers.' })
  progress?: ProgressInput | null;

  @Field(() => String, {
    nullable: true,
    description: 'Free text; which values the Study API allows is not documented.',
  })
  status?: string | null;

  @Field(() => [String], { nullable: true, description: 'An array of strings.' })
  knowledgeGraphs?: string[] | null;

  @Field(() => String, {
    nullable: true,
    description:
      'Free text. Which values the Study API allows is not documented; those of `StudyStrategy` are likely.',
  })
  strategy?: string | null;

  @Field(() => Int, { nullable: true, description: 'An integer.' })
  interviewCount?: number | null;

  @Field(() => [String], { nullable: true, description: 'An array of strings.' })
  interviews?: string[] | null;
}

@InputType({
  description:
    'The sixteen fields of the body of `POST /studies`. Exactly the given ones are sent.',
})
export class CreateStudyInput extends StudyFieldsInput {
  @Field(() => [String], { nullable: true, description: 'An array of strings. Cannot be edited.' })
  problems?: string[] | null;

  @Field(() => UuidScalar, {
    nullable: true,
    description: 'The id of a solution. Cannot be edited.',
  })
  solutionId?: string | null;

  @Field(() => UuidScalar, {
    nullable: true,
    description: 'The id of a research goal. Cannot be edited.',
  })
  researchGoalId?: string | null;
}

@InputType({
  description:
    'The thirteen fields of the body of `PATCH /studies/{study_id}`. Exactly the given ones are sent. ' +
    '`problems`, `solutionId` and `researchGoalId` cannot be edited.',
})
export class EditStudyInput extends StudyFieldsInput {}
