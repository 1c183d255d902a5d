import { Field, Int, ObjectType } from 'type-graphql';
import { Study } from './study.type.js';

@ObjectType({
  simpleResolvers: true,
  description:
    'One page of the list of studies. A number that the Study API does not give is null.',
})
export class StudyPage {
  @Field(() => [Study], {
    nullable: 'itemsAndList',
    description: 'The studies. One that cannot be read is null, with an error in its place.',
  })
  items?: (Study | null)[] | null;

  @Field(() => Int, { nullable: true, description: 'The number of this page, from 1.' })
  page?: number | null;

  @Field(() => Int, { nullable: true, description: 'Most studies that a page of this list has.' })
  size?: number | null;

  @Field(() => Int, { nullable: true, description: 'The number of studies on all pages.' })
  total?: number | null;

  @Field(() => Int, { nullable: true, description: 'The number of pages.' })
  pages?: number | null;
}
