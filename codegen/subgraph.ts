import { subgraphSdl } from '../src/graphql/subgraph.js';

/** Writes `schema/subgraph.graphql`. */
export function plugin(): string {
  return subgraphSdl;
}
