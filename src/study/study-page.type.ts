import { Field, Int, ObjectType } from 'type-graphql';
import { SemanticNonNull } from '../scalars/semantic-non-null.js';
import { Study } from './study.type.js';

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

  @Field(() => Int, { nullable: true, description: 'Page number, from 1.' })
  page?: number | null;

  @Field(() => Int, { nullable: true, description: 'Maximum number of studies on a page.' })
  size?: number | null;

  @Field(() => Int, { nullable: true, description: 'Total number of studies on all pages.' })
  total?: number | null;

  @Field(() => Int, { nullable: true, description: 'Total number of pages.' })
  pages?: number | null;
}
