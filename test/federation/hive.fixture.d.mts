import type { RequestListener } from 'node:http';

/** A supergraph as SDL, or the subgraphs that the router must compose itself. */
export type Supergraph =
  string | { readonly type: 'dev'; readonly services: readonly { name: string; url: string }[] };

/** @param onSend called with URL and body of each request to a subgraph */
export function createHive(
  supergraph: Supergraph,
  onSend: (url: string, body: string) => void,
): RequestListener & { dispose(): Promise<void> };
