import type { ApolloServerPlugin, BaseContext, GraphQLRequestListener } from '@apollo/server';

/**
 * Makes an Apollo plugin of hooks that keep nothing of an operation. All operations share the listener and its promise: a
 * listener of its own would cost each operation an object and a promise per plugin.
 */
export function statelessPlugin<Context extends BaseContext>(
  listener: GraphQLRequestListener<Context>,
): ApolloServerPlugin<Context> {
  const started = Promise.resolve(listener);
  return { requestDidStart: () => started };
}
