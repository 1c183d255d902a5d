import {
  ApolloServer,
  type ApolloServerOptions,
  type ApolloServerPlugin,
  type BaseContext,
} from '@apollo/server';
import {
  ApolloServerPluginCacheControlDisabled,
  ApolloServerPluginInlineTraceDisabled,
} from '@apollo/server/plugin/disabled';
import type { GraphQLSchema } from 'graphql';
import type { Logger } from 'pino';
import type { PlannedExecution } from '../execution/planned-execution.js';
import type { ErrorFormat } from './format-error.js';
import { joinListeners, type OperationListener } from './operation-listener.js';

/** Maximum number of validation errors in a response. graphql-js then stops, and adds one error that says so. */
const MAX_VALIDATION_ERRORS = 9;

type PersistedQueries = Exclude<ApolloServerOptions<object>['persistedQueries'], false | undefined>;

export interface ApolloOptions<Context extends object> {
  readonly schema: GraphQLSchema;
  readonly introspection: boolean;
  readonly maxDocumentTokens: number;
  readonly errors: Pick<ErrorFormat, 'formatError'>;
  /** Execution plans, whose store keeps the validated documents. `undefined` if graphql-js executes every operation. */
  readonly plans: Pick<PlannedExecution<BaseContext>, 'documentStore'> | undefined;
  readonly persistedQueryCache: NonNullable<PersistedQueries['cache']>;
  /** Plugins beside the listeners, such as that of Sandbox. */
  readonly plugins: readonly ApolloServerPlugin<Context>[];
  readonly logger: Logger;
}

export interface Apollo<Context extends object> {
  readonly server: ApolloServer<Context>;
  readonly close: () => Promise<void>;
}

/**
 * Starts the Apollo server.
 *
 * @param listeners in the order in which they hear of an operation
 */
export async function startApollo<Context extends object>(
  options: ApolloOptions<Context>,
  listeners: readonly (OperationListener<Context> | undefined)[],
): Promise<Apollo<Context>> {
  const { schema, plans, logger } = options;
  const server = new ApolloServer<Context>({
    schema,
    ...(plans && { documentStore: plans.documentStore }),
    introspection: options.introspection,
    formatError: options.errors.formatError,
    persistedQueries: { cache: options.persistedQueryCache },
    parseOptions: { maxTokens: options.maxDocumentTokens },
    validationOptions: { maxErrors: MAX_VALIDATION_ERRORS },
    includeStacktraceInErrorResponses: false,
    // shutdown.ts closes the whole gateway, in order.
    stopOnTerminationSignals: false,
    logger,
    plugins: [
      joinListeners(listeners.filter((listener) => listener !== undefined)),
      ...options.plugins,
      // Cache control would wrap the resolver of every field, and this schema does not use cache hints.
      ApolloServerPluginCacheControlDisabled(),
      // Apollo adds inline tracing to subgraphs, which would also wrap the resolver of every field.
      ApolloServerPluginInlineTraceDisabled(),
    ],
  });
  await server.start();
  return { server, close: () => server.stop() };
}
