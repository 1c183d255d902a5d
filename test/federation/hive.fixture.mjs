// JavaScript, because the types of Hive's packages change the types of graphql and of fetch for the whole program.
import { createGatewayRuntime } from '@graphql-hive/gateway-runtime';

/** Creates a Hive Gateway with the configuration of docs/federation.md. */
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
