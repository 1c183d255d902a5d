import 'reflect-metadata';
import { specifiedDirectives, type GraphQLSchema } from 'graphql';
import { buildSchemaSync, getMetadataStorage } from 'type-graphql';
import { ConfigError } from '../config/config.js';
import { semanticNonNull } from '../scalars/semantic-non-null.js';
import { StudyResolver } from '../study/resolver.js';
import { bindResolvers, type Class } from './bind-resolvers.js';

/** Resolver classes of the schema for clients. */
export const resolvers = [StudyResolver] as const satisfies readonly Class[];

/**
 * Returns a schema whose root fields call new instances of `classes`.
 *
 * @param addedClasses more classes, of a user
 * @throws ConfigError on `@Authorized`, which type-graphql ignores on a class
 */
export function createSchema(
  classes: readonly [Class, ...Class[]],
  addedClasses: readonly Class[] = [],
): GraphQLSchema {
  const { authorizedFields, authorizedResolver } = getMetadataStorage();
  if (authorizedFields.length + authorizedResolver.length > 0)
    throw new ConfigError('@Authorized has no effect: the addition authorize decides.');
  const [first, ...others] = classes;
  const built = buildSchemaSync({
    resolvers: [first, ...others, ...addedClasses],
    directives: [...specifiedDirectives, semanticNonNull],
    // No class-validator: GraphQL checks the types of input, and the Study API checks the values.
    validate: false,
    // Skips type-graphql's check, which takes a fifth of the start-up time: Apollo checks the schema in the same way.
    skipCheck: true,
  });
  bindResolvers(built, classes, addedClasses);
  return built;
}

/** The GraphQL schema for clients. `codegen.ts` imports this file. */
export const schema = createSchema(resolvers);
