import type { Evidence } from './observation.js';
import type { Refutation, Verdict } from './verdict.js';

/** A statement on the Study API that the gateway relies on. */
export interface Assumption extends Refutation {
  /** Never changes: other programs read it in the JSON report. */
  readonly id: string;
  /** A sentence; names are in backticks. */
  readonly claim: string;
  /** `inferred`: likely by the reference, and not shown there. `assumed`: no source says so. */
  readonly source: 'document' | 'reference' | 'inferred' | 'assumed';
  /** What the check asks of the API. A check that writes is not run. */
  readonly access: 'reads' | 'writes';
  /** File of `src/` that relies on the assumption. */
  readonly place: string;
  /** Id of an assumption without which the check says nothing. */
  readonly needs?: string;
  /** Pure. `undefined` where no check has been written yet. */
  readonly check?: (evidence: Evidence) => Verdict | readonly Verdict[];
}
