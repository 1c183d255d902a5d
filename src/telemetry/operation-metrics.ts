import { ApolloServerErrorCode } from '@apollo/server/errors';
import { OperationTypeNode, type GraphQLFormattedError } from 'graphql';
import { failures, outcomesByHarm } from 'rest-outcome';
import { findWorstError } from '../errors/worst-error.js';
import type { OperationListener } from '../graphql/listener.js';
import type { Instruments } from './instruments.js';
import { toRootField } from './root-field.js';

/** Error codes that `client-error.ts` can set. The metrics count any other code as `other`. */
const CODES = new Set<string>([
  ...Object.values(ApolloServerErrorCode),
  ...Object.values(failures).map(({ code }) => code),
  'other',
]);

/** @param countBound counts an error if the error reports a bound */
export function createOperationMetrics(
  { counter, histogram }: Instruments,
  countBound: (error: object) => void,
): OperationListener {
  const total = counter(
    'operations_total',
    'GraphQL operations, by code of their most serious error',
    ['root_field', 'code'],
  );
  const duration = histogram('operation_duration_seconds', 'Time of a GraphQL operation', [
    'root_field',
  ]);
  const errors = counter('errors_total', 'GraphQL errors sent to clients', ['code']);
  const failedWrites = counter(
    'failed_writes_total',
    'Root fields of mutations that failed, by outcome of the write',
    ['outcome'],
  );
  // Prometheus sees no increase when a series first appears with 1.
  for (const code of CODES) errors.inc({ code }, 0);
  for (const outcome of outcomesByHarm) failedWrites.inc({ outcome }, 0);

  const countErrors = (sent: readonly GraphQLFormattedError[], isMutation: boolean): void => {
    const failed = new Set<unknown>();
    for (const { extensions, path } of sent) {
      errors.inc({ code: toCodeLabel(extensions?.['code']) });
      const outcome = extensions?.['outcome'];
      // One write may cause many errors, one at each unreadable field of its study: counts each root field once.
      if (!isMutation || !path || failed.has(path[0]) || typeof outcome !== 'string') continue;
      failed.add(path[0]);
      failedWrites.inc({ outcome });
    }
  };

  return {
    willSendResponse({ document, operation, contextValue, errors: thrown, response: { body } }) {
      for (const error of thrown ?? []) countBound(error.originalError ?? error);
      const sent = body.kind === 'single' ? body.singleResult.errors : undefined;
      if (sent) countErrors(sent, operation?.operation === OperationTypeNode.MUTATION);
      const worst = sent && findWorstError(sent);
      const root_field = toRootField(document, operation);
      total.inc({ root_field, code: worst ? toCodeLabel(worst.code) : 'none' });
      duration.observe({ root_field }, (performance.now() - contextValue.startedAt) / 1_000);
    },
  };
}

function toCodeLabel(code: unknown): string {
  return typeof code === 'string' && CODES.has(code) ? code : 'other';
}
