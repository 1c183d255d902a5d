import type { ApolloServerPlugin, GraphQLRequestListener } from '@apollo/server';
import { unwrapResolverError } from '@apollo/server/errors';
import { GraphQLError } from 'graphql';
import type { Logger } from 'pino';
import { RestCircuitOpenError, RestError, RestOverloadedError } from '../rest/errors.js';
import {
  RestAnswerNotKeptError,
  RestKeyRefusedError,
  RestKeyReusedError,
  RestKeyUnsettledError,
} from '../rest/idempotency-errors.js';
import {
  IdempotencyKeyError,
  LoneSurrogateError,
  StudyContractError,
} from '../study/study.errors.js';
import type { Writes } from '../study/writes.js';
import type { StudyContext } from '../study/study.resolver.js';
import type { RequestContext } from './request-context.js';
import { toRestProblem } from './rest-problem.js';
import { findWorstError } from './worst-error.js';

/** An operation's name comes from outside. */
const MAX_NAME_LENGTH = 64;

/**
 * Codes of a client's mistakes. `RATE_LIMITED` is not listed: the Study API may count all callers of the
 * gateway as one, and only an operator can raise that limit.
 */
const CLIENTS_CODES = new Set([
  'BAD_USER_INPUT',
  'CONFLICT',
  'FORBIDDEN',
  'NOT_FOUND',
  'UNAUTHENTICATED',
]);

interface LoggedContext extends RequestContext, StudyContext {
  /** Where tracing is on. */
  readonly trace?: { readonly traceId: string } | undefined;
}

interface OperationLogOptions {
  readonly logger: Logger;
  /** With `service` the Study API judges the gateway's token, not the caller's. */
  readonly authMode: 'forward' | 'service';
}

/**
 * Logs one line for each operation: whose it was, its name, its times, and what the client was told of its errors;
 * docs/operations.md has every field. An error that is masked is logged whole; the token, arguments and answers
 * never are.
 */
export function createOperationLog({
  logger,
  authMode,
}: OperationLogOptions): ApolloServerPlugin<LoggedContext> {
  const isOwnToken = authMode === 'service';
  const listener: GraphQLRequestListener<LoggedContext> = {
    async didEncounterErrors({ errors, contextValue: { requestId, studies } }) {
      for (const error of errors) {
        const origin = unwrapResolverError(error);
        if (origin instanceof RestError) {
          const level = isClientsMistake(origin, isOwnToken) ? 'info' : 'warn';
          logger[level]({ requestId, ...toLogFields(origin) }, toRestMessage(origin));
        } else if (!(isRefusal(error, origin, studies.writes) || isClientsConcern(origin)))
          logger.error({ requestId, err: origin }, 'an error was masked');
      }
    },
    async willSendResponse({ operation, contextValue, response: { body } }) {
      if (!logger.isLevelEnabled('info')) return;
      const { requestId, startedAt, caller, studies, trace } = contextValue;
      const errors = body.kind === 'single' ? body.singleResult.errors : undefined;
      const worst = findWorstError(errors);
      logger.info(
        {
          requestId,
          traceId: trace?.traceId,
          caller: caller.logId(),
          operation: operation?.operation,
          operationName: operation?.name?.value.slice(0, MAX_NAME_LENGTH),
          code: worst?.code,
          outcome: worst?.outcome,
          ms: toTenths(performance.now() - startedAt),
          restMs: toTenths(studies.tally.ms),
          restCalls: studies.tally.calls,
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
  // One for all operations: there are many.
  const started = Promise.resolve(listener);
  return { requestDidStart: () => started };
}

/** Tells whether GraphQL refused the operation, or the field before its write was begun. */
function isRefusal({ path }: GraphQLError, origin: unknown, writes: Writes): boolean {
  return origin instanceof GraphQLError && !(path && writes.has(String(path[0])));
}

function toTenths(ms: number): number {
  return Math.round(ms * 10) / 10;
}

/** Errors that the client is told in full, and that the drift log or nobody needs to hear of. */
function isClientsConcern(error: unknown): boolean {
  return (
    error instanceof StudyContractError ||
    error instanceof LoneSurrogateError ||
    error instanceof IdempotencyKeyError
  );
}

function isClientsMistake(error: RestError, isOwnToken: boolean): boolean {
  const isAboutToken = error.status === 401 || error.status === 403;
  return !(isOwnToken && isAboutToken) && CLIENTS_CODES.has(toRestProblem(error).code);
}

function toRestMessage(error: RestError): string {
  return isOurRefusal(error)
    ? 'a call to the Study API was not made'
    : 'a call to the Study API failed';
}

/** Of these the Study API has heard nothing: the gateway itself has answered. */
function isOurRefusal(error: RestError): boolean {
  return (
    error instanceof RestCircuitOpenError ||
    error instanceof RestOverloadedError ||
    error instanceof RestKeyReusedError ||
    error instanceof RestKeyRefusedError ||
    error instanceof RestKeyUnsettledError ||
    error instanceof RestAnswerNotKeptError
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
