import type { ApolloServerPlugin, BaseContext, GraphQLRequestListener } from '@apollo/server';

/** The hooks of Apollo's request listeners that parts of the gateway use. All operations share a listener, so it has no state. */
export type OperationListener<Context extends BaseContext = BaseContext> = Pick<
  GraphQLRequestListener<Context>,
  'didResolveOperation' | 'didEncounterErrors' | 'responseForOperation' | 'willSendResponse'
>;

/**
 * Joins listeners to one Apollo plugin. With a plugin for each listener, Apollo would wait for every plugin at every hook,
 * even where the plugin has none: 8 % of the CPU time of a `createStudy`.
 *
 * The hooks of one name run one after the other, in the order of the listeners. If a hook throws, the later hooks of that
 * name do not run.
 */
export function joinListeners<Context extends BaseContext>(
  listeners: readonly OperationListener<Context>[],
): ApolloServerPlugin<Context> {
  const toHooks = <Name extends keyof OperationListener>(name: Name) =>
    listeners.map((listener) => listener[name]).filter((hook) => hook !== undefined);
  const operationHooks = toHooks('didResolveOperation');
  const errorHooks = toHooks('didEncounterErrors');
  const answerHooks = toHooks('responseForOperation');
  const responseHooks = toHooks('willSendResponse');

  const joined = Promise.resolve<OperationListener<Context>>({
    async didResolveOperation(context) {
      for (const hook of operationHooks) await hook(context);
    },
    async didEncounterErrors(context) {
      for (const hook of errorHooks) await hook(context);
    },
    async responseForOperation(context) {
      for (const hook of answerHooks) {
        const answer = await hook(context);
        if (answer) return answer;
      }
      return null;
    },
    async willSendResponse(context) {
      for (const hook of responseHooks) await hook(context);
    },
  });
  return { requestDidStart: () => joined };
}
