// Adds the field `title` to Study: the first line of the description.
import { startGateway, Study, type StudyFields } from 'study-gateway';
import { FieldResolver, Resolver, Root } from 'type-graphql';

@Resolver(() => Study)
class StudyTitle {
  @FieldResolver(() => String, {
    nullable: true,
    description: 'First line of the description.',
  })
  title(@Root() { description }: StudyFields): string | undefined {
    return typeof description === 'string' ? description.split('\n')[0] : undefined;
  }
}

const { url, close } = await startGateway(process.env, { resolvers: [StudyTitle] });
console.log(`GraphQL is at ${url}/graphql`);
process.once('SIGTERM', () => void close());
