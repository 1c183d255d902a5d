// JavaScript, because the types of its packages change those of graphql and of fetch for the whole program.
import { createGatewayRuntime } from '@graphql-hive/gateway-runtime';

/** Hive Gateway, configured as docs/federation.md says. */
export function createHive(supergraph, onSend) {
  return createGatewayRuntime({
    supergraph,
    logging: false,
    transports: { http: import('@graphql-mesh/transport-http') },
    propagateHeaders: {
      fromClientToSubgraphs: ({ request }) => ({
        authorization: request.headers.get('authorization'),
      }),
    },
    plugins: () => [{ onFetch: ({ url, options }) => onSend(url, options.body) }],
  });
}
