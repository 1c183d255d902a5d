import type { Logger } from 'pino';
import { isPlainName } from './field-name.js';
import { pageNames } from './study-page.js';
import { progressPrefix, studyNames, type ReportDrift } from './study.wire.js';

/**
 * Maximum number of distinct kinds of drift in the log and in metric labels. The Study API chooses the names of unknown
 * fields, so this bounds the memory and the label cardinality.
 */
export const MAX_DRIFT_KINDS = 200;

/** Stands in the log and in metrics for every name that may be a secret. */
const MASKED = '(masked)';

/**
 * Returns the log and metric labels of a difference from the contract, and a text that identifies the labels. Names of the
 * contract are never masked.
 */
export function toDriftKind(name: string, expected: string, received: string) {
  const field = isContractName(name) || isPlainName(toOwnName(name)) ? name : MASKED;
  return { kind: `${field}: ${expected}, ${received}`, labels: { field, expected, received } };
}

/**
 * Wraps a drift report: masks names of unknown fields that are secrets.
 *
 * @param isSecret gets the own name of the field, without the `progress.` of a part of the progress
 */
export function maskedDrift(report: ReportDrift, isSecret: (name: string) => boolean): ReportDrift {
  return (name, ...types) => {
    const own = toOwnName(name);
    // `toDriftKind` masks every other name. Searching a name of 8 MB for a token takes 0.4 s.
    const isSearched = !isContractName(name) && isPlainName(own);
    report(isSearched && isSecret(own) ? MASKED : name, ...types);
  };
}

function isContractName(name: string): boolean {
  return studyNames.has(name) || pageNames.has(name);
}

function toOwnName(name: string): string {
  return name.startsWith(progressPrefix) ? name.slice(progressPrefix.length) : name;
}

/** Creates a function that logs each kind of drift once per process, up to `MAX_DRIFT_KINDS` kinds. */
export function createDriftLog(logger: Pick<Logger, 'warn'>): ReportDrift {
  const logged = new Set<string>();
  return (...drift) => {
    const { kind, labels } = toDriftKind(...drift);
    if (logged.has(kind) || logged.size >= MAX_DRIFT_KINDS) return;
    logged.add(kind);
    logger.warn(labels, 'the Study API differs from its contract');
  };
}
