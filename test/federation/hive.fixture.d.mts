import type { RequestListener } from 'node:http';

/** A supergraph in SDL, or the subgraphs that the router composes itself. */
export type Supergraph =
  string | { readonly type: 'dev'; readonly services: readonly { name: string; url: string }[] };

/** @param onSend hears of each request to a subgraph: where it goes, and its body */
export function createHive(
  supergraph: Supergraph,
  onSend: (url: string, body: string) => void,
): RequestListener & { dispose(): Promise<void> };
