import type { Logger } from 'pino';
import { ValueError } from '../errors/refusal.js';

/** A field in a 2xx answer of the Study API does not have the type that the contract demands. */
export class DriftError extends ValueError {
  override readonly name = 'DriftError';

  constructor(
    /** Name of the field in the answer, such as `strategy` or `progress.total`. */
    readonly field: string,
    readonly expected: string,
    /** Kind of the received value, such as `a string` or `another page`; never the value itself. */
    readonly received: string,
  ) {
    const message = `The Study API answered "${field}" with ${received} where ${expected} was expected.`;
    super('UPSTREAM_CONTRACT', message);
  }
}

type Drift = ConstructorParameters<typeof DriftError>;

/** Reports a difference between an answer and the contract, and returns its error: field name and types, never values. */
export type ReportDrift = (...drift: Drift) => DriftError;

/** Matches the names that are shown. The Study API may choose any text, such as an e-mail address. */
const IDENTIFIER = /^(?:progress\.)?[A-Za-z_]\w{0,39}$/;

/** Stands in the log for every other name, and in metrics for every name that the contract does not have. */
export const OTHER_NAME = '(other)';

/** Maximum number of distinct kinds of drift in the log. */
const MAX_DRIFT_KINDS = 200;

/**
 * Creates a function that logs each kind of drift once per process, up to `MAX_DRIFT_KINDS` kinds.
 *
 * @param count called for each drift
 */
export function createDriftLog(
  logger: Pick<Logger, 'warn'>,
  count?: (...drift: Drift) => void,
): ReportDrift {
  const logged = new Set<string>();
  return (name, expected, received) => {
    const field = IDENTIFIER.test(name) ? name : OTHER_NAME;
    count?.(field, expected, received);
    const kind = `${field}: ${expected}, ${received}`;
    if (!logged.has(kind) && logged.size < MAX_DRIFT_KINDS) {
      logged.add(kind);
      logger.warn({ field, expected, received }, 'the Study API differs from its contract');
    }
    return new DriftError(name, expected, received);
  };
}
