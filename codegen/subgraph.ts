import { subgraphSdl } from '../src/features/federation/subgraph.js';

/** Writes `schema/subgraph.graphql`. */
export function plugin(): string {
  return subgraphSdl;
}
