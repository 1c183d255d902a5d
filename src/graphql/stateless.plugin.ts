import type { ApolloServerPlugin, BaseContext, GraphQLRequestListener } from '@apollo/server';

/**
 * Creates an Apollo plugin from a listener that keeps no state of an operation. All operations share the listener and
 * its promise, which saves an object and a promise for each operation and plugin.
 */
export function statelessPlugin<Context extends BaseContext>(
  listener: GraphQLRequestListener<Context>,
): ApolloServerPlugin<Context> {
  const started = Promise.resolve(listener);
  return { requestDidStart: () => started };
}
