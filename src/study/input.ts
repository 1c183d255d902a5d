import { Field, InputType, Int } from 'type-graphql';
import { DateTimeScalar, UuidScalar } from '../scalars/scalars.js';
import { strategyNames } from './strategies.js';
import { nullable, Progress } from './type.js';

// Every field is optional, because no field is known to be required. An omitted field is left out of the REST body,
// `null` is sent as `null`, and `[]` as `[]`. The facts in the descriptions come from the document of the Study API.

/** The thirteen fields that both mutations accept, in the order of the Study API's document. */
@InputType()
abstract class StudyFieldsInput {
  @Field(() => String, nullable('Free text.'))
  description?: string | null;

  @Field(() => UuidScalar, nullable('Id of the project that the study belongs to.'))
  projectId?: string | null;

  @Field(
    () => DateTimeScalar,
    nullable('RFC 3339 date and time, sent to the Study API unchanged. The offset may be missing.'),
  )
  createdAt?: string | null;

  @Field(() => Boolean, nullable('True or false.'))
  bookmarked?: boolean | null;

  @Field(() => String, nullable('Free text.'))
  language?: string | null;

  @Field(() => [String], nullable('An array of strings.'))
  audiences?: string[] | null;

  @Field(() => [String], nullable('An array of strings.'))
  files?: string[] | null;

  @Field(() => Progress, nullable('The three progress integers.'))
  progress?: Progress | null;

  @Field(() => String, nullable('Free text. Which values the Study API accepts is not documented.'))
  status?: string | null;

  @Field(() => [String], nullable('An array of strings.'))
  knowledgeGraphs?: string[] | null;

  @Field(
    () => String,
    nullable(
      `Free text. Which values the Study API accepts is not documented; it probably accepts ${strategyNames}.`,
    ),
  )
  strategy?: string | null;

  @Field(() => Int, nullable('An integer.'))
  interviewCount?: number | null;

  @Field(() => [String], nullable('An array of strings.'))
  interviews?: string[] | null;
}

@InputType({
  description:
    'Fields of a new study, the body of `POST /studies`. Omitted fields are not sent; `null` is sent as `null`.',
})
export class CreateStudyInput extends StudyFieldsInput {
  @Field(() => [String], nullable('An array of strings. Cannot be edited.'))
  problems?: string[] | null;

  @Field(() => UuidScalar, nullable('Id of a solution. Cannot be edited.'))
  solutionId?: string | null;

  @Field(() => UuidScalar, nullable('Id of a research goal. Cannot be edited.'))
  researchGoalId?: string | null;
}

@InputType({
  description:
    'Fields to change, the body of `PATCH /studies/{study_id}`. Omitted fields are not sent; `null` is sent as `null`. ' +
    '`problems`, `solutionId` and `researchGoalId` cannot be edited.',
})
export class EditStudyInput extends StudyFieldsInput {}
