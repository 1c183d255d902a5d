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

/** Validation stops there, and says so in one error more. */
const MAX_VALIDATION_ERRORS = 9;

type PersistedQueries = Exclude<ApolloServerOptions<object>['persistedQueries'], false | undefined>;

export interface ApolloOptions {
  readonly schema: GraphQLSchema;
  readonly introspection: boolean;
  readonly maxDocumentTokens: number;
  readonly errors: Pick<ErrorFormat, 'formatError'>;
  /** `undefined` leaves every operation to graphql-js. */
  readonly plans: Pick<PlannedExecution<BaseContext>, 'documentStore'> | undefined;
  readonly persistedQueryCache: NonNullable<PersistedQueries['cache']>;
  readonly logger: Logger;
}

export interface Apollo<Context extends object> {
  readonly server: ApolloServer<Context>;
  readonly close: () => Promise<void>;
}

/**
 * Starts the Apollo server. Apollo asks one plugin after the other for an answer, and awaits each: plans come first.
 */
export async function startApollo<Context extends object>(
  options: ApolloOptions,
  plugins: readonly (ApolloServerPlugin<Context> | undefined)[],
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
      ...plugins.filter((plugin) => plugin !== undefined),
      // Cache control wraps every field's resolver, and this schema has no use for it.
      ApolloServerPluginCacheControlDisabled(),
      // Apollo adds inline tracing to every subgraph; tracing wraps every resolver too.
      ApolloServerPluginInlineTraceDisabled(),
    ],
  });
  await server.start();
  return { server, close: () => server.stop() };
}
