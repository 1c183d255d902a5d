import type { GraphQLSchema } from 'graphql';
import { schema } from './schema.js';

/** Returns the schema for clients; if `federation` is set, imports and returns the schema of the subgraph instead. */
export async function loadSchema({
  federation,
}: {
  readonly federation: boolean;
}): Promise<GraphQLSchema> {
  return federation ? (await import('./subgraph.js')).subgraph : schema;
}
