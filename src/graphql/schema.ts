import 'reflect-metadata';
import { specifiedDirectives } from 'graphql';
import { buildSchemaSync } from 'type-graphql';
import { semanticNonNull } from '../semantic-non-null.js';
import { StudyResolver } from '../study/study.resolver.js';
import { callDirectly } from './direct-resolvers.js';

export const directives = [...specifiedDirectives, semanticNonNull];

/** The schema that clients see; `codegen.ts` reads it from here. */
export const schema = buildSchemaSync({
  resolvers: [StudyResolver],
  directives,
  // No class-validator: GraphQL checks the types, and what else is allowed is the Study API's to say.
  validate: false,
  // Apollo checks it too, by the same introspection: a fifth of the start.
  skipCheck: true,
});
callDirectly(schema, new StudyResolver());
