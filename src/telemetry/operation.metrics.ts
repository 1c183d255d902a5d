import { ApolloServerErrorCode } from '@apollo/server/errors';
import { OperationTypeNode, type GraphQLFormattedError } from 'graphql';
import { failures, outcomesByHarm } from 'rest-outcome';
import type { OperationContext, OperationListener } from '../graphql/operation-listener.js';
import { findWorstError } from '../errors/worst-error.js';
import type { Instruments } from './instruments.js';
import { AcceptedNames } from './operation-names.js';

/** Error codes that `client-error.ts` can set. The metrics count any other code as `other`. */
const CODES = new Set<string>([
  ...Object.values(ApolloServerErrorCode),
  ...Object.values(failures).map(({ code }) => code),
]);

/** @param countBound counts an error if the error reports a bound */
export function createOperationMetrics(
  instruments: Instruments,
  countBound: (error: object) => void,
  names: AcceptedNames,
): OperationListener<OperationContext> {
  const clients = new AcceptedNames();
  const total = instruments.counter(
    'operations_total',
    'GraphQL operations, by code and outcome of their most serious error',
    ['operation_type', 'operation_name', 'code', 'outcome'],
  );
  const byClient = instruments.counter(
    'client_operations_total',
    'GraphQL operations by client, and by code and outcome of their most serious error',
    ['client_name', 'code', 'outcome'],
  );
  const duration = instruments.durations(
    'operation_duration_seconds',
    'Time of a GraphQL operation',
    ['operation_type', 'operation_name'],
  );
  const countError = instruments.counterOf(
    'errors_total',
    'GraphQL errors sent to clients',
    'code',
    CODES,
  );
  const countFailedWrite = instruments.counterOf(
    'failed_writes_total',
    'Root fields of mutations that failed, by outcome of the write',
    'outcome',
    outcomesByHarm,
  );

  const countErrors = (errors: readonly GraphQLFormattedError[], isMutation: boolean): void => {
    const failed = new Set<unknown>();
    for (const { extensions, path } of errors) {
      countError(toCodeLabel(extensions?.['code']));
      const outcome = extensions?.['outcome'];
      // One write may cause many errors, one at each unreadable field of its study: counts each root field once.
      if (!isMutation || !path || failed.has(path[0]) || typeof outcome !== 'string') continue;
      failed.add(path[0]);
      countFailedWrite(outcome);
    }
  };

  return {
    willSendResponse({ operation, contextValue, errors: thrown, response: { body } }) {
      for (const error of thrown ?? []) countBound(error.originalError ?? error);
      const { startedAt, ledger, frontend } = contextValue;
      const errors = body.kind === 'single' ? body.singleResult.errors : undefined;
      if (errors) countErrors(errors, operation?.operation === OperationTypeNode.MUTATION);
      const worst = errors && findWorstError(errors);
      const code = worst ? toCodeLabel(worst.code) : 'none';
      const outcome = worst?.outcome ?? 'none';
      const isAccepted = ledger.tally.accepted > 0;
      const labels = names.toLabels(operation, isAccepted);
      const { name } = frontend;
      const client_name = name ? clients.toLabel(name, isAccepted) : 'anonymous';
      total.inc({ ...labels, code, outcome });
      byClient.inc({ client_name, code, outcome });
      duration.observe(labels, (performance.now() - startedAt) / 1_000);
    },
  };
}

function toCodeLabel(code: unknown): string {
  return typeof code === 'string' && CODES.has(code) ? code : 'other';
}
