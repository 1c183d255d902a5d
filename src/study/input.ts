import { Field, InputType, Int, ObjectType } from 'type-graphql';
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

@InputType({
  description:
    'Fields of a new study, the body of `POST /studies`. Omitted fields are not sent; `null` is sent as `null`.',
})
export class CreateStudyInput extends CommonFields {
  @Field(() => [String], nullable('The problems as strings. Cannot be edited.'))
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
export class EditStudyInput extends CommonFields {}
