import { createRequire } from 'node:module';
import 'reflect-metadata';
import { specifiedDirectives, type GraphQLSchema } from 'graphql';
import { buildSchemaSync, getMetadataStorage } from 'type-graphql';
import { ConfigError } from '../config/config.js';
import { bindRoots, type RootOptions } from '../execution/root-resolvers.js';
import { semanticNonNull } from '../scalars/semantic-non-null.js';
import { StudyResolver } from '../study/study.resolver.js';

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

/**
 * Two copies of a package do not know each other's classes. All copies of type-graphql use the storage of the first.
 *
 * @throws ConfigError if there are two copies of graphql, or another type-graphql was loaded before the gateway's
 */
function checkCopies(): void {
  const { resolve } = createRequire(import.meta.url);
  const own = resolve('graphql');
  for (const name of ['type-graphql', 'graphql-scalars', '@apollo/server']) {
    const other = createRequire(resolve(name)).resolve('graphql');
    if (other !== own)
      throw new ConfigError(`Install graphql once: ${name} uses ${other}, the gateway ${own}.`);
  }
  const storage = getMetadataStorage();
  Reflect.deleteProperty(globalThis, 'TypeGraphQLMetadataStorage');
  const isOwn = storage instanceof getMetadataStorage().constructor;
  Reflect.set(globalThis, 'TypeGraphQLMetadataStorage', storage);
  if (!isOwn)
    throw new ConfigError(`Install type-graphql once: ${resolve('type-graphql')} is the second.`);
}

checkCopies();

/** The GraphQL schema for clients. `codegen.ts` imports this file. */
export const schema = createSchema(resolvers);
