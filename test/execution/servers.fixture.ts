import { ApolloServer, type ApolloServerPlugin } from '@apollo/server';
import { ApolloServerPluginCacheControlDisabled } from '@apollo/server/plugin/disabled';
import type { GraphQLFormattedError } from 'graphql';
import { pino } from 'pino';
import { afterAll } from 'vitest';
import type { Context } from '../../src/context.js';
import { createErrorHandling } from '../../src/errors/client-error.js';
import { createPlannedExecution } from 'planned-execution';
import { readConfig } from '../../src/config/config.js';
import { createSandbox } from '../../src/features/explorer/sandbox.js';
import { openGraphql } from '../../src/graphql/apollo.js';
import { joinListeners } from '../../src/graphql/listener.js';
import { schema } from '../../src/graphql/schema.js';
import type { Entry, JsonObject } from 'rest-outcome';
import { createTestContext } from '../support/context.js';
import type { Request } from './requests.fixture.js';

/** Answers of the Study API, one for each call; further calls get the last one. An error is thrown. */
export type Answers = readonly (JsonObject | Error)[];

interface Run {
  /** The JSON text of the response. */
  readonly response: string;
  readonly status: number | undefined;
  /** Method, path and body of each call to the Study API, in order. */
  readonly calls: readonly string[];
  /** Whether graphql-js executed the operation. */
  readonly isByGraphqlJs: boolean;
}

export type RunOperation = (request: Request, answers: Answers) => Promise<Run>;

const errorHandling = createErrorHandling(false);

/** Maximum number of errors in an answer of the gateway. */
const MAX_ERRORS = 10;
/** Messages about invalid variables, of graphql-js and of the gateway. No value of these tests looks like a part of a message. */
const VARIABLE_ERRORS = [
  /^Variable "(?<name>\$\w+)" (?:got invalid value .*?(?: at "\w+(?<place>[^"]*)")?; .+|of (?:required|non-null) type .+)$/s,
  /^(?<name>\$\w+)(?<place>(?:\.\w+|\[\d+\])*) (?:must|has|does) /,
];

/** Returns an error about a variable with the place of the value in place of the message, and any other error unchanged. */
function toComparable(error: GraphQLFormattedError): GraphQLFormattedError {
  const groups = VARIABLE_ERRORS.map((pattern) => pattern.exec(error.message)?.groups).find(
    Boolean,
  );
  if (!groups) return error;
  const { fieldErrors: _, ...extensions } = error.extensions ?? {};
  return { ...error, message: `${groups['name']}${groups['place'] ?? ''}`, extensions };
}

/** Starts the gateway's Apollo Server, and a plain one without execution plans and document store, for comparison. They stop after the tests of a `describe`. */
export async function startServers(): Promise<{ ours: RunOperation; plain: RunOperation }> {
  const watch = { executions: 0 };
  const plugin: ApolloServerPlugin<Context> = {
    requestDidStart: async () => ({
      executionDidStart: async () => void (watch.executions += 1),
    }),
  };
  const logger = pino({ level: 'silent' });
  const { graphql, rest } = readConfig({});
  const plans = createPlannedExecution<Context>(schema, errorHandling);
  const { server: ours, close } = await openGraphql(
    { ...graphql, isProduction: false, logger, schema, plans, errorHandling },
    [],
    plugin,
    createSandbox(false, rest.contract),
  );
  afterAll(close);
  const plain = new ApolloServer<Context>({
    schema,
    formatError: errorHandling.formatError,
    documentStore: null,
    includeStacktraceInErrorResponses: false,
    introspection: true,
    validationOptions: { maxErrors: 9 },
    stopOnTerminationSignals: false,
    logger,
    // Disables cache control, whose plugin would wrap the resolvers of the schema that both servers share.
    plugins: [plugin, joinListeners([errorHandling]), ApolloServerPluginCacheControlDisabled()],
  });
  await plain.start();
  afterAll(() => plain.stop());
  const toRun =
    (server: ApolloServer<Context>): RunOperation =>
    async (request, answers) => {
      const calls: string[] = [];
      const send = async (call: Entry): Promise<JsonObject> => {
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
        response: JSON.stringify({
          ...body.singleResult,
          errors: body.singleResult.errors?.slice(0, MAX_ERRORS).map(toComparable),
        }),
        status: http.status,
        calls,
        isByGraphqlJs: watch.executions > before,
      };
    };
  return { ours: toRun(ours), plain: toRun(plain) };
}
