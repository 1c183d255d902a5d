import 'reflect-metadata';
import { buildSchemaSync } from 'type-graphql';
import { StudyResolver } from '../study/study.resolver.js';
import { callDirectly } from './direct-resolvers.js';

/** The schema that clients see; `codegen.ts` reads it from here. */
export const schema = buildSchemaSync({
  resolvers: [StudyResolver],
  // No class-validator: GraphQL checks the types, and what else is allowed is the Study API's to say.
  validate: false,
  // Apollo checks it too, by the same introspection: a fifth of the start.
  skipCheck: true,
});
callDirectly(schema, new StudyResolver());
