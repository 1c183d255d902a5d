import { ApolloServer, type ApolloServerPlugin } from '@apollo/server';
import { ApolloServerPluginCacheControlDisabled } from '@apollo/server/plugin/disabled';
import { pino } from 'pino';
import { onTestFinished } from 'vitest';
import type { Context } from '../../src/context.js';
import { createErrorFormat } from '../../src/graphql/format-error.js';
import { schema } from '../../src/graphql/schema.js';
import type { JsonObject } from '../../src/rest/rest-call.js';
import type { RestClient } from '../../src/rest/rest-client.js';
import { startTestApollo } from '../support/apollo.js';
import { createTestContext } from '../support/context.js';

export interface Request {
  readonly query: string;
  readonly variables?: Record<string, unknown>;
  readonly operationName?: string;
}

/** What the Study API answers, call by call; an error is thrown. The last one goes on. */
export type Answers = readonly (JsonObject | Error)[];

interface Run {
  /** As it would be sent. */
  readonly response: string;
  readonly status: number | undefined;
  /** The bodies that the Study API got, in their order. */
  readonly calls: readonly string[];
  /** Whether graphql-js has executed it. */
  readonly isByGraphqlJs: boolean;
  /** What was logged of the gateway's own defects. */
  readonly defects: readonly string[];
}

export type RunOperation = (request: Request, answers: Answers) => Promise<Run>;

const errorFormat = createErrorFormat({ isProduction: false, authMode: 'forward' });

/** The gateway's Apollo, and one that is as Apollo comes: graphql-js executes everything, and keeps no document. */
export async function startServers(): Promise<{ ours: RunOperation; plain: RunOperation }> {
  const watch = { executions: 0 };
  const plugin: ApolloServerPlugin<Context> = {
    requestDidStart: async () => ({
      executionDidStart: async () => void (watch.executions += 1),
    }),
  };
  const logger = pino({ level: 'silent' });
  const defects: string[] = [];
  const ours = await startTestApollo(
    // The errors that the resolvers throw are logged as they always are.
    pino(
      { level: 'error' },
      { write: (line: string) => void (line.includes('"a plan failed"') && defects.push(line)) },
    ),
    plugin,
  );
  const plain = new ApolloServer<Context>({
    schema,
    formatError: errorFormat.formatError,
    documentStore: null,
    includeStacktraceInErrorResponses: false,
    introspection: true,
    validationOptions: { maxErrors: 9 },
    stopOnTerminationSignals: false,
    logger,
    // The others would wrap the resolvers of the schema, which both have.
    plugins: [plugin, errorFormat.plugin, ApolloServerPluginCacheControlDisabled()],
  });
  await plain.start();
  onTestFinished(() => plain.stop());
  const toRun =
    (server: ApolloServer<Context>): RunOperation =>
    async (request, answers) => {
      const calls: string[] = [];
      const send: RestClient['send'] = async (call) => {
        const answer = answers[Math.min(calls.length, answers.length - 1)]!;
        calls.push(`${call.method} ${call.path} ${call.body ?? ''}`);
        if (answer instanceof Error) throw answer;
        return answer;
      };
      const before = watch.executions;
      const { body, http } = await server.executeOperation(request, {
        contextValue: createTestContext(send),
      });
      if (body.kind !== 'single') throw new Error('the schema has nothing to stream');
      return {
        response: JSON.stringify(body.singleResult),
        status: http.status,
        calls,
        isByGraphqlJs: watch.executions > before,
        defects,
      };
    };
  return { ours: toRun(ours), plain: toRun(plain) };
}
