import { unwrapResolverError } from '@apollo/server/errors';
import { GraphQLError } from 'graphql';
import type { Logger } from 'pino';
import { RestError, type Ledger } from 'rest-outcome';
import type { Context } from '../context.js';
import type { OperationListener } from './listener.js';
import { Refusal, ValueError } from '../errors/refusal.js';
import { ofClients, ofCredentials, ofGateway } from '../errors/failure-messages.js';
import { findWorstError } from '../errors/worst-error.js';

/** Maximum length of an operation name in the log, in characters. Clients choose the names. */
const MAX_NAME_LENGTH = 64;
/** Maximum number of errors in one log line. A page of broken studies has at least one error per study. */
const MAX_ERRORS = 20;

/**
 * Creates the listener that logs one line for each operation: caller, name, durations, and the errors as sent to the
 * client. docs/operations.md describes every field. Masked errors are logged in full; tokens, arguments and answers are
 * never logged, but for the Study API's reasons of a refusal at the level `debug`.
 *
 * @param isOwnToken whether a token that the Study API refuses is the gateway's own, not the caller's
 */
export function createOperationLog(logger: Logger, isOwnToken: boolean): OperationListener {
  function logErrors(errors: readonly GraphQLError[], { requestId, ledger }: Context): void {
    for (const error of errors) {
      const origin = unwrapResolverError(error);
      if (origin instanceof RestError) {
        const { failure } = origin;
        const isOwnFault = isOwnToken && ofCredentials.has(failure);
        const level = ofClients.has(failure) && !isOwnFault ? 'info' : 'warn';
        const end = ofGateway.has(failure) ? 'was not made' : 'failed';
        logger[level]({ requestId, ...toLogFields(origin) }, `a call to the Study API ${end}`);
        const { upstreamMessage, details } = origin;
        if (upstreamMessage !== undefined || details.length > 0)
          logger.debug({ requestId, upstreamMessage, details }, 'the Study API gave a reason');
      } else if (!(isRefused(error, origin, ledger) || origin instanceof ValueError))
        logger.error({ requestId, err: origin }, 'an error was masked');
    }
  }

  return {
    willSendResponse({ operation, contextValue, errors: thrown, response: { body } }) {
      if (thrown) logErrors(thrown, contextValue);
      if (!logger.isLevelEnabled('info')) return;
      const { requestId, startedAt, caller, frontend, trace, ledger } = contextValue;
      const { writes } = ledger;
      const errors = body.kind === 'single' ? body.singleResult.errors : undefined;
      const worst = errors && findWorstError(errors);
      logger.info(
        {
          requestId,
          traceId: trace?.traceId,
          caller: caller.logId(),
          client: frontend.name,
          clientVersion: frontend.version,
          operation: operation?.operation,
          operationName: operation?.name?.value.slice(0, MAX_NAME_LENGTH),
          code: worst?.code,
          outcome: worst?.outcome,
          reason: thrown && findReason(thrown),
          ms: toTenths(performance.now() - startedAt),
          restMs: toTenths(ledger.busyMs),
          restCalls: ledger.calls,
          writes: writes.length > 0 ? writes : undefined,
          errors: errors?.slice(0, MAX_ERRORS).map(({ path, extensions }) => ({
            field: path?.join('.'),
            code: extensions?.['code'],
            outcome: extensions?.['outcome'],
          })),
        },
        'operation',
      );
    },
  };
}

/** Returns true if GraphQL refused the operation, or a resolver refused its field before a byte of a write was sent. */
function isRefused({ path }: GraphQLError, origin: unknown, ledger: Ledger): boolean {
  const isUnsent = !path || ledger.outcomeOf(String(path[0])).outcome === 'NOT_SENT';
  return (origin instanceof GraphQLError || origin instanceof Refusal) && isUnsent;
}

/** Returns why the caller was not authenticated, in words that are the gateway's own. */
function findReason([error]: readonly GraphQLError[]): string | undefined {
  return error?.originalError instanceof Refusal ? error.originalError.reason : undefined;
}

function toTenths(ms: number): number {
  return Math.round(ms * 10) / 10;
}

/** Returns the fields to log. Omits the stack, which is always the same, and the reasons, which may quote values. */
function toLogFields(error: RestError): object {
  const { failure, message, outcome, cause } = error;
  return {
    error: failure,
    reason: message,
    outcome,
    cause: cause instanceof Error ? cause.message : undefined,
  };
}
