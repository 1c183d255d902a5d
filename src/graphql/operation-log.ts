import { unwrapResolverError } from '@apollo/server/errors';
import { GraphQLError } from 'graphql';
import type { Logger } from 'pino';
import { RestError, type Ledger } from 'rest-outcome';
import type { Context } from '../context.js';
import type { OperationListener } from './listener.js';
import { Refusal, ValueError } from '../errors/refusal.js';
import { ofCredentials } from '../errors/failure-messages.js';
import { findWorstError } from '../errors/worst-error.js';

/** Maximum length of an operation name in the log, in characters. Clients choose the names. */
const MAX_NAME_LENGTH = 64;

/**
 * Codes of calls that failed by a mistake of the client, logged as `info`; all others are warnings. `RATE_LIMITED` is a
 * warning, because an API may count all callers as one client, and then only an operator can get the limit raised.
 */
const ofClients = /^(BAD_USER_INPUT|CONFLICT|FORBIDDEN|NOT_FOUND|UNAUTHENTICATED)$/;

/**
 * Creates the listener that logs one line for each operation: caller, name, durations, and the most serious error as
 * sent to the client. docs/operations.md describes every field. Masked errors are logged in full; tokens, arguments and answers are
 * never logged, nor are the Study API's reasons of a rejection, which may quote values.
 *
 * @param isOwnToken whether a token that the Study API refuses is the gateway's own, not the caller's
 */
export function createOperationLog(logger: Logger, isOwnToken: boolean): OperationListener {
  function logErrors(errors: readonly GraphQLError[], { requestId, ledger }: Context): void {
    for (const error of errors) {
      const origin = unwrapResolverError(error);
      if (origin instanceof RestError) {
        const { failure, message: reason, outcome, cause: origins } = origin;
        const isOwnFault = isOwnToken && ofCredentials.has(failure);
        const level = ofClients.test(origin.code) && !isOwnFault ? 'info' : 'warn';
        const cause = origins instanceof Error ? origins.message : undefined;
        // Omits the stack, which is always the same.
        const fields = { requestId, error: failure, reason, outcome, cause };
        logger[level](fields, 'a call to the Study API failed');
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
      const first = thrown?.[0]?.originalError;
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
          reason: first instanceof Refusal ? first.reason : undefined,
          ms: toTenths(performance.now() - startedAt),
          restMs: toTenths(ledger.busyMs),
          restCalls: ledger.calls,
          writes: writes.length > 0 ? writes : undefined,
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

function toTenths(ms: number): number {
  return Math.round(ms * 10) / 10;
}
