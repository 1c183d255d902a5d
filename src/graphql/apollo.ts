import { ApolloServer, type ApolloServerOptions, type ApolloServerPlugin } from '@apollo/server';
import {
  ApolloServerPluginCacheControlDisabled,
  ApolloServerPluginInlineTraceDisabled,
} from '@apollo/server/plugin/disabled';
import type { GraphQLSchema } from 'graphql';
import type { Logger } from 'pino';
import { createCompiledExecution } from '../execution/compiled-execution.js';
import type { Context } from './context.js';
import { createFormatError } from './format-error.js';
import { explainPlugin } from './explain.plugin.js';
import { mutationRatePlugin } from './mutation-rate.plugin.js';
import { createOperationLog } from './operation-log.plugin.js';
import { createSandbox, noSandbox } from './sandbox.plugin.js';
import { schema as clientSchema } from './schema.js';

/** Validation stops there, and says so in one error more. */
const MAX_VALIDATION_ERRORS = 9;

/** Documents by the names that Apollo gives them. */
export type PersistedQueryCache = Exclude<
  ApolloServerOptions<Context>['cache'],
  'bounded' | undefined
>;

export interface ApolloOptions {
  /** Default: the schema that clients see. */
  readonly schema?: GraphQLSchema | undefined;
  readonly introspection: boolean;
  readonly sandbox: boolean;
  /** Whether Sandbox's page may send people there. */
  readonly explorer: boolean;
  /** Prefilled in Sandbox. */
  readonly demoToken?: string | undefined;
  /** Whether errors leave out what of the schema they know better. */
  readonly isProduction: boolean;
  readonly maxDocumentTokens: number;
  readonly rateLimitMutationFields: number;
  /** Whose token the Study API judges: with `service` not the caller's. */
  readonly authMode: 'forward' | 'service';
  /** Where automatic persisted queries are kept. Default: in memory, bounded. */
  readonly persistedQueryCache?: PersistedQueryCache | undefined;
  /** Further ones, which see the errors before they are formatted. */
  readonly plugins?: readonly ApolloServerPlugin<Context>[] | undefined;
  readonly logger: Logger;
}

/** The Apollo server, not started yet. */
export function createApollo(options: ApolloOptions): ApolloServer<Context> {
  const { schema = clientSchema, persistedQueryCache: cache } = options;
  const isOwnToken = options.authMode === 'service';
  const execution = createCompiledExecution(schema, options.logger);
  return new ApolloServer<Context>({
    schema,
    documentStore: execution.documentStore,
    introspection: options.introspection,
    formatError: createFormatError({
      hideSuggestions: options.isProduction,
      isOwnToken,
    }),
    ...(cache && { persistedQueries: { cache } }),
    parseOptions: { maxTokens: options.maxDocumentTokens },
    validationOptions: { maxErrors: MAX_VALIDATION_ERRORS },
    includeStacktraceInErrorResponses: false,
    // main.ts stops the whole gateway, in order.
    stopOnTerminationSignals: false,
    logger: options.logger,
    plugins: [
      // First: Apollo asks one plugin after the other for an answer, and awaits each.
      execution.plugin,
      createOperationLog({ logger: options.logger, isOwnToken }),
      ...(options.isProduction ? [] : [explainPlugin]),
      ...(options.rateLimitMutationFields > 0 ? [mutationRatePlugin] : []),
      ...(options.plugins ?? []),
      options.sandbox ? createSandbox(options.demoToken, options.explorer) : noSandbox,
      // It would wrap every field's resolver, for a feature that this schema has no use for.
      ApolloServerPluginCacheControlDisabled(),
      // So would this one, which Apollo adds to every subgraph.
      ApolloServerPluginInlineTraceDisabled(),
    ],
  });
}
