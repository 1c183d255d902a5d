import { toAnswers, type Evidence, type Observation } from './observation.js';

export type VerdictName = 'CONFIRMED' | 'REFUTED' | 'UNKNOWN' | 'NEW' | 'NOT PROBED';

/** Texts for a refuted assumption, one sentence each. */
export interface Refutation {
  /** What clients of the gateway observe. */
  readonly consequence: string;
  /** What a developer must change, and in which file. */
  readonly change: string;
}

export interface Verdict {
  readonly verdict: VerdictName;
  /** Reason for the verdict in counts, types and statuses: `null in 2 of 9`. */
  readonly evidence: string;
  /** Numbers of the requests that the verdict is based on. A refutation names only the counterexamples. */
  readonly requests: readonly number[];
  /** Replaces the claim of the assumption. */
  readonly claim?: string;
  /** Replaces consequence and change of the assumption. */
  readonly refutation?: Refutation;
}

/** An assumption about the Study API that the gateway relies on. */
export type Assumption = Statement & (Checked | { readonly check?: undefined });

interface Statement {
  /** Never changes, because other programs find the assumption by its id in the JSON report. */
  readonly id: string;
  /** Sentence that states the assumption, with names in backticks. */
  readonly claim: string;
  /** Source of the claim. `inferred`: the reference suggests the claim without showing it. `assumed`: no source. */
  readonly source: 'document' | 'reference' | 'inferred' | 'assumed';
  /** File of `src/` that relies on the assumption. */
  readonly place: string;
  /** Id of a prerequisite assumption. If the prerequisite is refuted, the verdict is `UNKNOWN`. */
  readonly needs?: string;
}

/** What an assumption has unless only a write could test it: the probe sends no writes. */
interface Checked extends Refutation {
  /** Judges the assumption; a pure function. */
  readonly check: (evidence: Evidence) => Verdict | readonly Verdict[];
}

/** An observation on which a verdict is based. */
interface Case {
  /** Number of the request. */
  readonly number: number;
}

/**
 * Returns `REFUTED` if at least one case has a fault, `CONFIRMED` if none has, and `UNKNOWN` if there are no cases.
 *
 * @param toFault returns the counterexample in words, such as `null` or `404`; `undefined` if the case confirms the assumption
 * @param none evidence of an `UNKNOWN` verdict
 * @param more text that follows the count in the evidence of a `CONFIRMED` verdict
 */
export function judge<One extends Case>(
  cases: readonly One[],
  toFault: (one: One) => string | undefined,
  none = 'no answer',
  more = '',
): Verdict {
  const total = cases.length;
  if (total === 0) return unknown(none);
  const faults = cases.filter((one) => toFault(one) !== undefined);
  if (faults.length === 0) return confirmed(`${total} of ${total}${more}`, ...cases);
  const counts = [...Map.groupBy(faults, toFault)].map(
    ([fault, { length }]) => `${fault} in ${length} of ${total}`,
  );
  return refuted(counts.join(', '), ...faults);
}

/** Returns a check that judges the successful answers of a step, or of the first step and more. */
export function judgeAnswers(
  step: string,
  toFault: (answer: Observation) => string | undefined,
  ...more: readonly string[]
) {
  return (evidence: Evidence): Verdict =>
    judge(toAnswers(evidence, step, ...more), toFault, toReason(evidence, step));
}

export const confirmed = createVerdict('CONFIRMED');
export const refuted = createVerdict('REFUTED');
export const unknown = createVerdict('UNKNOWN');
export const isNew = createVerdict('NEW');

/** Returns a function that creates verdicts of this name. The verdicts are based on `cases`. */
function createVerdict(verdict: VerdictName) {
  return (evidence: string, ...cases: readonly Case[]): Verdict => ({
    verdict,
    evidence,
    requests: [...new Set(cases.map(({ number }) => number))],
  });
}

/** Returns why a step shows nothing: the status of its first answer, or that no request was sent. */
export function toReason({ observations, stopped }: Evidence, step: string): string {
  const asked = observations.find((one) => one.step === step);
  if (asked) return toStatus(asked);
  return stopped === undefined ? 'not asked' : 'not asked: the probe stopped';
}

/** Returns the status as text, or `no whole answer` if none arrived. */
export function toStatus({ status }: Observation): string {
  return status === undefined ? 'no whole answer' : String(status);
}
