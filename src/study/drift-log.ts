import type { ReportDrift } from './study.wire.js';

/** Kinds of drift that are remembered; more than that are not told apart from those already logged. */
const MAX_KINDS = 200;
/** An unknown field's name comes from outside. */
const MAX_NAME_LENGTH = 64;

/** Where drift is written: the part of a pino logger that is needed for it. */
export interface DriftLogger {
  warn(details: object, message: string): void;
}

/** Logs each kind of drift once in the life of the process, by field name and types. */
export function createDriftLog(logger: DriftLogger): ReportDrift {
  const seen = new Set<string>();
  return (name, expected, received) => {
    const field = name.slice(0, MAX_NAME_LENGTH);
    const kind = `${field}: ${expected}, ${received}`;
    if (seen.has(kind) || seen.size >= MAX_KINDS) return;
    seen.add(kind);
    logger.warn({ field, expected, received }, 'the Study API differs from its contract');
  };
}
