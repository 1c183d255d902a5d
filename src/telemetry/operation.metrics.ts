import { ApolloServerErrorCode } from '@apollo/server/errors';
import { OperationTypeNode, type GraphQLFormattedError } from 'graphql';
import { Counter, Histogram, type Registry } from 'prom-client';
import type { OperationContext } from '../graphql/request-context.js';
import type { OperationListener } from '../graphql/operation-listener.js';
import { findWorstError } from '../errors/worst-error.js';
import { failures } from '../rest/failures.js';
import { outcomesByHarm } from '../rest/rest-call.js';
import { DURATION_BUCKETS } from './buckets.js';
import { OperationNames } from './operation-names.js';

/** Error codes that `client-error.ts` can set. The metrics count any other code as `other`. */
const CODES = new Set<unknown>([
  ...Object.values(ApolloServerErrorCode),
  ...Object.values(failures).map(({ code }) => code),
]);

/** Creates the listener that counts and times operations, errors and failed writes. */
export function createOperationMetrics(registry: Registry): OperationListener<OperationContext> {
  const registers = [registry];
  const names = new OperationNames();
  const total = new Counter({
    name: 'study_gateway_operations_total',
    help: 'GraphQL operations, by code and outcome of their most serious error',
    labelNames: ['operation_type', 'operation_name', 'code', 'outcome'],
    registers,
  });
  const duration = new Histogram({
    name: 'study_gateway_operation_duration_seconds',
    help: 'Time of a GraphQL operation',
    labelNames: ['operation_type', 'operation_name'],
    buckets: DURATION_BUCKETS,
    registers,
  });
  const errorsTotal = new Counter({
    name: 'study_gateway_errors_total',
    help: 'GraphQL errors sent to clients',
    labelNames: ['code'],
    registers,
  });
  const failedWrites = new Counter({
    name: 'study_gateway_failed_writes_total',
    help: 'Root fields of mutations that failed, by outcome of the write',
    labelNames: ['outcome'],
    registers,
  });
  // Starts every series at 0: Prometheus sees no increase when a series first appears with 1.
  for (const code of CODES) errorsTotal.inc({ code: toCodeLabel(code) }, 0);
  for (const outcome of outcomesByHarm) failedWrites.inc({ outcome }, 0);

  const countErrors = (errors: readonly GraphQLFormattedError[], isMutation: boolean): void => {
    const failed = new Set<unknown>();
    for (const { extensions, path } of errors) {
      errorsTotal.inc({ code: toCodeLabel(extensions?.['code']) });
      const outcome = extensions?.['outcome'];
      // One write may cause many errors, one at each unreadable field of its study: counts each root field once.
      if (!isMutation || !path || failed.has(path[0]) || typeof outcome !== 'string') continue;
      failed.add(path[0]);
      failedWrites.inc({ outcome });
    }
  };

  return {
    async willSendResponse({ operation, contextValue, response: { body } }) {
      const { startedAt, operation: calls } = contextValue;
      const errors = body.kind === 'single' ? body.singleResult.errors : undefined;
      if (errors) countErrors(errors, operation?.operation === OperationTypeNode.MUTATION);
      const worst = findWorstError(errors);
      const code = worst ? toCodeLabel(worst.code) : 'none';
      const labels = names.toLabels(operation, calls.tally.accepted > 0);
      total.inc({ ...labels, code, outcome: worst?.outcome ?? 'none' });
      duration.observe(labels, (performance.now() - startedAt) / 1_000);
    },
  };
}

function toCodeLabel(code: unknown): string {
  return CODES.has(code) ? String(code) : 'other';
}
