import { BoundedSet } from '../bounded-set.js';
import type { Logger } from '../logger.js';
import type { ReportDrift } from './study.wire.js';

/**
 * Maximum number of distinct kinds of drift in the log and in metric labels. The Study API chooses the names of unknown
 * fields, so this bounds the memory and the label cardinality.
 */
export const MAX_DRIFT_KINDS = 200;
const MAX_NAME_LENGTH = 64;

/** Returns the log and metric labels of a difference from the contract, and a text that identifies the labels. */
export function toDriftKind(name: string, expected: string, received: string) {
  const field = name.slice(0, MAX_NAME_LENGTH);
  return { kind: `${field}: ${expected}, ${received}`, labels: { field, expected, received } };
}

/** Creates a function that logs each kind of drift once per process, up to `MAX_DRIFT_KINDS` kinds. */
export function createDriftLog(logger: Pick<Logger, 'warn'>): ReportDrift {
  const logged = new BoundedSet(MAX_DRIFT_KINDS);
  return (...drift) => {
    const { kind, labels } = toDriftKind(...drift);
    if (logged.has(kind) || !logged.add(kind)) return;
    logger.warn(labels, 'the Study API differs from its contract');
  };
}
