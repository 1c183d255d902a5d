import { Counter, type Registry } from 'prom-client';
import type { ReportDrift } from '../study/study.wire.js';

/** Kinds of drift that are told apart; the names of unknown fields come from outside. */
const MAX_KINDS = 200;
const MAX_NAME_LENGTH = 64;
const others = { field: 'other', expected: 'other', received: 'other' };

/** Counts every difference from the contract, and passes it on. */
export type CountDrift = (report: ReportDrift) => ReportDrift;

export function createDriftMetrics(registry: Registry): CountDrift {
  const seen = new Set<string>();
  const total = new Counter({
    name: 'study_gateway_drift_total',
    help: 'Fields of answers that differ from the contract of the Study API',
    labelNames: ['field', 'expected', 'received'],
    registers: [registry],
  });

  return (report) => (name, expected, received) => {
    const field = name.slice(0, MAX_NAME_LENGTH);
    const kind = `${field}: ${expected}, ${received}`;
    const isKnown = seen.has(kind) || seen.size < MAX_KINDS;
    if (isKnown) seen.add(kind);
    total.inc(isKnown ? { field, expected, received } : others);
    report(name, expected, received);
  };
}
