import type { Logger } from 'pino';
import { pageNames } from './page.js';
import { progressPrefix, studyNames, type ReportDrift } from './wire.js';

/** Maximum number of distinct kinds of drift in the log. The Study API chooses the names of unknown fields. */
const MAX_DRIFT_KINDS = 200;

/** Matches the names of unknown fields that the log may contain. The Study API may choose any text, such as an e-mail address. */
const IDENTIFIER = /^[A-Za-z_]\w{0,39}$/;

/** Stands in the log for every other name, and in metrics for every name that the contract does not have. */
const OTHER = '(other)';

/** Returns the metric labels of a difference from the contract. */
export function toDriftLabels(name: string, expected: string, received: string) {
  return { field: isContractName(name) ? name : OTHER, expected, received };
}

/**
 * Returns the name of a field, or a substitute for an unknown field whose name contains the token of the call.
 *
 * @param hasToken gets the own name of the field, without the `progress.` of a part of the progress
 */
export function toShownName(name: string, hasToken: (name: string) => boolean): string {
  return !isContractName(name) && hasToken(toOwnName(name)) ? OTHER : name;
}

function isContractName(name: string): boolean {
  return studyNames.has(name) || pageNames.has(name);
}

function toOwnName(name: string): string {
  return name.startsWith(progressPrefix) ? name.slice(progressPrefix.length) : name;
}

/**
 * Creates a function that logs each kind of drift once per process, up to `MAX_DRIFT_KINDS` kinds.
 *
 * @param count called for each drift
 */
export function createDriftLog(logger: Pick<Logger, 'warn'>, count?: ReportDrift): ReportDrift {
  const logged = new Set<string>();
  return (name, expected, received) => {
    count?.(name, expected, received);
    const isShown = isContractName(name) || IDENTIFIER.test(toOwnName(name));
    const field = isShown ? name : OTHER;
    const kind = `${field}: ${expected}, ${received}`;
    if (logged.has(kind) || logged.size >= MAX_DRIFT_KINDS) return;
    logged.add(kind);
    logger.warn({ field, expected, received }, 'the Study API differs from its contract');
  };
}
