import { subgraphSdl } from '../src/graphql/subgraph.js';

/** A graphql-codegen plugin, by which `codegen.ts` writes `schema/subgraph.graphql`. */
export function plugin(): string {
  return subgraphSdl;
}
