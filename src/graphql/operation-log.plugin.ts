import type { ApolloServerPlugin } from '@apollo/server';
import { unwrapResolverError } from '@apollo/server/errors';
import { GraphQLError } from 'graphql';
import type { Logger } from 'pino';
import { RestError } from '../rest/errors.js';
import {
  IdempotencyKeyError,
  LoneSurrogateError,
  StudyContractError,
} from '../study/study.errors.js';
import type { Context } from './context.js';

/** An operation's name comes from outside. */
const MAX_NAME_LENGTH = 64;

/**
 * Logs one line for each operation: its name, its time, and of each error the code and outcome that the
 * client was told. An error that is masked is logged whole; the token, arguments and answers never are.
 */
export function createOperationLog(logger: Logger): ApolloServerPlugin<Context> {
  return {
    async requestDidStart({ contextValue: { requestId } }) {
      const started = performance.now();
      return {
        async didEncounterErrors({ errors }) {
          for (const error of errors) {
            const origin = unwrapResolverError(error);
            if (origin instanceof RestError)
              logger.warn({ requestId, ...toLogFields(origin) }, 'a call to the Study API failed');
            else if (!(origin instanceof GraphQLError || isClientsConcern(origin)))
              logger.error({ requestId, err: origin }, 'an error was masked');
          }
        },
        async willSendResponse({ operation, operationName, response: { body } }) {
          const errors = body.kind === 'single' ? body.singleResult.errors : undefined;
          logger.info(
            {
              requestId,
              operation: operation?.operation,
              operationName: operationName?.slice(0, MAX_NAME_LENGTH),
              ms: Math.round((performance.now() - started) * 10) / 10,
              errors: errors?.map(({ path, extensions }) => ({
                field: path?.join('.'),
                code: extensions?.['code'],
                outcome: extensions?.['outcome'],
              })),
            },
            'operation',
          );
        },
      };
    },
  };
}

/** Errors that the client is told in full, and that the drift log or nobody needs to hear of. */
function isClientsConcern(error: unknown): boolean {
  return (
    error instanceof StudyContractError ||
    error instanceof LoneSurrogateError ||
    error instanceof IdempotencyKeyError
  );
}

/** Without a stack, which is always the same, and without what the Study API said of values. */
function toLogFields(error: RestError): object {
  const { name, message, outcome, cause } = error;
  return {
    error: name,
    reason: message,
    outcome,
    cause: cause instanceof Error ? cause.message : undefined,
  };
}
