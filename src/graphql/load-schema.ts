import type { GraphQLSchema } from 'graphql';
import { Roots } from '../execution/roots.js';
import { schema } from './schema.js';

/**
 * Returns the schema for clients; if `federation` is set, imports and returns the schema of the subgraph instead. The
 * root fields of both bound the errors of a response, with plans and without.
 */
export async function loadSchema({
  federation,
}: {
  readonly federation: boolean;
}): Promise<GraphQLSchema> {
  const loaded = federation ? (await import('./subgraph.js')).subgraph : schema;
  Roots.of(loaded);
  return loaded;
}
