import type { ApolloServerPlugin } from '@apollo/server';
import { Counter, Histogram, type Registry } from 'prom-client';
import type { Context } from '../graphql/context.js';
import { findWorstError } from '../graphql/worst-error.js';
import { DURATION_BUCKETS } from './buckets.js';
import { OperationNames } from './operation-names.js';

/** Counts and times operations, by type, name and how they ended. */
export function createOperationMetrics(registry: Registry): ApolloServerPlugin<Context> {
  const registers = [registry];
  const names = new OperationNames();
  const total = new Counter({
    name: 'study_gateway_operations_total',
    help: 'GraphQL operations, by the error that counts most',
    labelNames: ['operation_type', 'operation_name', 'code', 'outcome'],
    registers,
  });
  const duration = new Histogram({
    name: 'study_gateway_operation_duration_seconds',
    help: 'Time from the document to the answer',
    labelNames: ['operation_type', 'operation_name'],
    buckets: DURATION_BUCKETS,
    registers,
  });

  return {
    async requestDidStart() {
      const startedAt = performance.now();
      return {
        async willSendResponse({ operation, response: { body } }) {
          const errors = body.kind === 'single' ? body.singleResult.errors : undefined;
          const worst = findWorstError(errors);
          const labels = names.toLabels(operation);
          total.inc({ ...labels, code: worst?.code ?? 'none', outcome: worst?.outcome ?? 'none' });
          duration.observe(labels, (performance.now() - startedAt) / 1_000);
        },
      };
    },
  };
}
