import { Counter, type Registry } from 'prom-client';
import { MAX_DRIFT_KINDS, toDriftKind } from '../study/drift-log.js';
import type { ReportDrift } from '../study/study.wire.js';

/** Labels for every kind of drift after the first MAX_DRIFT_KINDS: they bound the label cardinality. */
const others = { field: 'other', expected: 'other', received: 'other' };

/** Wraps a drift report: counts each difference from the Study API's contract, then passes the difference on. */
export type CountDrift = (report: ReportDrift) => ReportDrift;

export function createDriftMetrics(registry: Registry): CountDrift {
  const kinds = new Set<string>();
  const total = new Counter({
    name: 'study_gateway_drift_total',
    help: 'Fields of Study API answers that differ from the contract',
    labelNames: ['field', 'expected', 'received'],
    registers: [registry],
  });

  return (report) =>
    (...drift) => {
      const { kind, labels } = toDriftKind(...drift);
      if (kinds.size < MAX_DRIFT_KINDS) kinds.add(kind);
      total.inc(kinds.has(kind) ? labels : others);
      report(...drift);
    };
}
