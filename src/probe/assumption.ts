import type { Evidence } from './observation.js';
import type { Refutation, Verdict } from './verdict.js';

/** An assumption about the Study API that the gateway relies on. */
export interface Assumption extends Refutation {
  /** Never changes, because other programs find the assumption by its id in the JSON report. */
  readonly id: string;
  /** Sentence that states the assumption, with names in backticks. */
  readonly claim: string;
  /** Source of the claim. `inferred`: the reference suggests the claim without showing it. `assumed`: no source. */
  readonly source: 'document' | 'reference' | 'inferred' | 'assumed';
  /** Kind of request that a check needs. The probe sends no writes, so `writes` means that there is no check. */
  readonly access: 'reads' | 'writes';
  /** File of `src/` that relies on the assumption. */
  readonly place: string;
  /** Id of a prerequisite assumption. If the prerequisite is refuted, the verdict is `UNKNOWN`. */
  readonly needs?: string;
  /** Judges the assumption; a pure function. `undefined` if the assumption cannot be checked by reading. */
  readonly check?: (evidence: Evidence) => Verdict | readonly Verdict[];
}
