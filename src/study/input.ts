import { Field, InputType } from 'type-graphql';
import { UuidScalar } from '../scalars/scalars.js';
import { CommonFields, nullable } from './type.js';

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
