import 'reflect-metadata';
import './copies.js';
import { specifiedDirectives, type GraphQLSchema } from 'graphql';
import { buildSchemaSync } from 'type-graphql';
import { bindRoots, type RootOptions } from '../execution/root-resolvers.js';
import { semanticNonNull } from '../scalars/semantic-non-null.js';
import { StudyResolver } from '../study/resolver.js';

export type Class = new () => object;

/** Resolver classes of the schema for clients. */
export const resolvers = [StudyResolver] as const satisfies readonly Class[];

/** Returns a schema whose root fields call new instances of `classes`, with the fields that `options` adds. */
export function createSchema(
  classes: readonly [Class, ...Class[]],
  options: RootOptions = {},
): GraphQLSchema {
  const [first, ...others] = classes;
  const built = buildSchemaSync({
    resolvers: [first, ...others, ...(options.added ?? [])],
    directives: [...specifiedDirectives, semanticNonNull],
    // No class-validator: GraphQL checks the types of input, and the Study API checks the values.
    validate: false,
    // Skips type-graphql's check, which takes a fifth of the start-up time: Apollo checks the schema in the same way.
    skipCheck: true,
  });
  bindRoots(
    built,
    classes.map((Resolver) => new Resolver()),
    options,
  );
  return built;
}

/** The GraphQL schema for clients. `codegen.ts` imports this file. */
export const schema = createSchema(resolvers);
