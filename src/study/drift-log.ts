import { BoundedSet } from '../bounded-set.js';
import type { Logger } from '../logger.js';
import type { ReportDrift } from './study.wire.js';

/** Kinds of drift that are told apart; an unknown field's name comes from outside. */
export const MAX_DRIFT_KINDS = 200;
const MAX_NAME_LENGTH = 64;

/** A difference from the contract, with a text that tells its kind. */
export function toDriftKind(name: string, expected: string, received: string) {
  const field = name.slice(0, MAX_NAME_LENGTH);
  return { kind: `${field}: ${expected}, ${received}`, labels: { field, expected, received } };
}

/** Logs each kind of drift once in the life of the process, by field name and types. */
export function createDriftLog(logger: Pick<Logger, 'warn'>): ReportDrift {
  const logged = new BoundedSet(MAX_DRIFT_KINDS);
  return (...drift) => {
    const { kind, labels } = toDriftKind(...drift);
    if (logged.has(kind) || !logged.add(kind)) return;
    logger.warn(labels, 'the Study API differs from its contract');
  };
}
