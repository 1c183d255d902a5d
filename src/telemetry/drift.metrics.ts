import { MAX_DRIFT_KINDS, toDriftKind } from '../study/drift-log.js';
import type { ReportDrift } from '../study/study.wire.js';
import type { Instruments } from './instruments.js';

/** Labels for every kind of drift after the first MAX_DRIFT_KINDS: they bound the label cardinality. */
const others = { field: 'other', expected: 'other', received: 'other' };

/** Returns a wrap of a drift report: it counts each difference from the Study API's contract, then passes it on. */
export function createDriftMetrics(instruments: Instruments): (report: ReportDrift) => ReportDrift {
  const kinds = new Set<string>();
  const total = instruments.counter(
    'drift_total',
    'Fields of Study API answers that differ from the contract',
    ['field', 'expected', 'received'],
  );

  return (report) =>
    (...drift) => {
      const { kind, labels } = toDriftKind(...drift);
      if (kinds.size < MAX_DRIFT_KINDS) kinds.add(kind);
      total.inc(kinds.has(kind) ? labels : others);
      report(...drift);
    };
}
