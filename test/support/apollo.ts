import type { ApolloServer, ApolloServerPlugin } from '@apollo/server';
import type { Logger } from 'pino';
import { onTestFinished } from 'vitest';
import { readConfig } from '../../src/config/config.js';
import type { Context } from '../../src/context.js';
import { createPlannedExecution } from 'planned-execution';
import { createSandbox } from '../../src/features/explorer/sandbox.js';
import { openGraphql } from '../../src/graphql/apollo.js';
import { createErrorFormat } from '../../src/errors/client-error.js';
import { createOperationLog } from '../../src/graphql/log.js';
import { schema } from '../../src/graphql/schema.js';

/** Starts the gateway's Apollo Server on its own, with `plugin` in addition. Stops Apollo when the test ends. */
export async function startTestApollo(
  logger: Logger,
  plugin: ApolloServerPlugin<Context>,
): Promise<ApolloServer<Context>> {
  const { auth, graphql, rest } = readConfig({});
  const { authMode } = auth;
  const errors = createErrorFormat({ authMode });
  const plans = createPlannedExecution<Context>(schema, errors);
  const { server, close } = await openGraphql(
    { ...graphql, isProduction: false, logger, schema, plans, errors },
    [createOperationLog(logger, false)],
    plugin,
    createSandbox(false, rest.contract),
  );
  onTestFinished(close);
  return server;
}
