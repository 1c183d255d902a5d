import { ApolloServer, type ApolloServerPlugin } from '@apollo/server';
import {
  ApolloServerPluginCacheControlDisabled,
  ApolloServerPluginInlineTraceDisabled,
} from '@apollo/server/plugin/disabled';
import { InMemoryLRUCache } from '@apollo/utils.keyvaluecache';
import type { GraphQLSchema } from 'graphql';
import type { Logger } from 'pino';
import type { Context } from '../context.js';
import type { PlannedExecution } from 'planned-execution';
import type { createErrorHandling } from '../errors/client-error.js';
import { limitDocument, MAX_TOKENS } from './limits.js';
import { authenticationListener, joinListeners, type OperationListener } from './listener.js';
import { createVariableCheck } from './variable-check.js';

/** Maximum number of validation errors in a response. graphql-js then stops, and adds one error that says so. */
const MAX_VALIDATION_ERRORS = 9;

export interface ApolloOptions {
  readonly schema: GraphQLSchema;
  readonly introspection: boolean;
  /** In production, no error suggests names of the schema. */
  readonly isProduction: boolean;
  readonly errorHandling: ReturnType<typeof createErrorHandling>;
  /** Execution plans, whose store keeps the validated documents. `undefined` if graphql-js executes every operation. */
  readonly plans: Pick<PlannedExecution<Context>, 'documentStore' | 'listener'> | undefined;
  readonly logger: Logger;
}

/**
 * Starts the Apollo server.
 *
 * @param listeners called in this order, after those of authentication, execution plans, variables and error handling
 * @param plugins Apollo plugins that are not listeners, such as Sandbox's page
 */
export async function openGraphql(
  options: ApolloOptions,
  listeners: readonly (OperationListener | undefined)[],
  ...plugins: readonly ApolloServerPlugin<Context>[]
): Promise<{ server: ApolloServer<Context>; close: () => Promise<void> }> {
  const { schema, plans, errorHandling, isProduction: hideSuggestions, logger } = options;
  const parts: typeof listeners = [
    authenticationListener,
    // Runs the operations that have a plan. graphql-js runs the others, after all listeners.
    plans?.listener,
    createVariableCheck(schema, errorHandling),
    errorHandling,
    ...listeners,
  ];
  const server = new ApolloServer<Context>({
    schema,
    ...(plans && { documentStore: plans.documentStore }),
    introspection: options.introspection,
    formatError: errorHandling.formatError,
    // Anybody may register a text. Apollo limits the characters alone: a million short texts would take 300 MB.
    persistedQueries: { cache: new InMemoryLRUCache({ max: 500 }) },
    parseOptions: { maxTokens: MAX_TOKENS },
    validationRules: [limitDocument],
    validationOptions: { maxErrors: MAX_VALIDATION_ERRORS, hideSuggestions },
    includeStacktraceInErrorResponses: false,
    // shutdown.ts closes the whole gateway, in order.
    stopOnTerminationSignals: false,
    logger,
    plugins: [
      joinListeners(parts.filter((part) => part !== undefined)),
      ...plugins,
      // Cache control would wrap the resolver of every field, and this schema does not use cache hints.
      ApolloServerPluginCacheControlDisabled(),
      // Apollo adds inline tracing to subgraphs, which would also wrap the resolver of every field.
      ApolloServerPluginInlineTraceDisabled(),
    ],
  });
  await server.start();
  return { server, close: () => server.stop() };
}
