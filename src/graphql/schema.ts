import 'reflect-metadata';
import { specifiedDirectives } from 'graphql';
import { buildSchemaSync } from 'type-graphql';
import { semanticNonNull } from '../scalars/semantic-non-null.js';
import { StudyResolver } from '../study/study.resolver.js';
import { callDirectly } from './direct-resolvers.js';

export const directives = [...specifiedDirectives, semanticNonNull];

/** The GraphQL schema for clients. `codegen.ts` imports this file. */
export const schema = buildSchemaSync({
  resolvers: [StudyResolver],
  directives,
  // No class-validator: GraphQL checks the types of input, and the Study API checks the values.
  validate: false,
  // Skips type-graphql's check, which takes a fifth of the start-up time: Apollo checks the schema in the same way.
  skipCheck: true,
});
callDirectly(schema, new StudyResolver());
