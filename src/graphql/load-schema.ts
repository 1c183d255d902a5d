import type { GraphQLSchema } from 'graphql';
import { schema } from './schema.js';

/** The schema that clients see, or the subgraph, which is loaded only where it is on. */
export async function loadSchema({
  federation,
}: {
  readonly federation: boolean;
}): Promise<GraphQLSchema> {
  return federation ? (await import('./subgraph.js')).subgraph : schema;
}
