import { ApolloServer, type ApolloServerPlugin } from '@apollo/server';
import {
  ApolloServerPluginCacheControlDisabled,
  ApolloServerPluginInlineTraceDisabled,
} from '@apollo/server/plugin/disabled';
import type { GraphQLSchema } from 'graphql';
import type { Logger } from 'pino';
import { createPlannedExecution } from '../execution/planned-execution.js';
import type { Context } from '../context.js';
import { createErrorFormat } from './format-error.js';
import { explainPlugin } from '../features/explain/explain.plugin.js';
import { mutationRatePlugin } from '../features/rate-limits/mutation-rate.plugin.js';
import { nullConditionsPlugin } from './null-conditions.plugin.js';
import { createOperationLog } from './operation-log.plugin.js';
import { createPersistedQueryCache } from './persisted-queries.js';
import { createSandbox, noSandbox } from '../features/explorer/sandbox.plugin.js';
import { schema as clientSchema } from './schema.js';

/** Validation stops there, and says so in one error more. */
const MAX_VALIDATION_ERRORS = 9;

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
  /** Whether operations are executed by plans; graphql-js executes all otherwise. */
  readonly plans: boolean;
  readonly rateLimitMutationFields: number;
  /** Whose token the Study API judges: with `service` not the caller's. */
  readonly authMode: 'forward' | 'service';
  /** Further ones, which see the errors before they are formatted. */
  readonly plugins?: readonly ApolloServerPlugin<Context>[] | undefined;
  readonly logger: Logger;
}

/** The Apollo server, not started yet. */
export function createApollo(options: ApolloOptions): ApolloServer<Context> {
  const { schema = clientSchema } = options;
  const isOwnToken = options.authMode === 'service';
  const execution = options.plans ? createPlannedExecution(schema, options.logger) : undefined;
  const errors = createErrorFormat({ hideSuggestions: options.isProduction, isOwnToken });
  return new ApolloServer<Context>({
    schema,
    ...(execution && { documentStore: execution.documentStore }),
    introspection: options.introspection,
    formatError: errors.formatError,
    persistedQueries: { cache: createPersistedQueryCache() },
    parseOptions: { maxTokens: options.maxDocumentTokens },
    validationOptions: { maxErrors: MAX_VALIDATION_ERRORS },
    includeStacktraceInErrorResponses: false,
    // main.ts stops the whole gateway, in order.
    stopOnTerminationSignals: false,
    logger: options.logger,
    plugins: [
      // First: Apollo asks one plugin after the other for an answer, and awaits each.
      ...(execution ? [execution.plugin] : []),
      errors.plugin,
      nullConditionsPlugin,
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
