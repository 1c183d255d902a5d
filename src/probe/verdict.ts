import type { Evidence, Observation } from './observation.js';

export type VerdictName = 'CONFIRMED' | 'REFUTED' | 'UNKNOWN' | 'NEW' | 'NOT PROBED';

/** What a refutation means to the users of the gateway, in a sentence each. */
export interface Refutation {
  readonly consequence: string;
  readonly change: string;
}

export interface Verdict {
  readonly verdict: VerdictName;
  /** Counts, types and statuses: `null in 2 of 9`. */
  readonly evidence: string;
  /** Numbers of the requests that the verdict rests on; of a refutation, those that refute. */
  readonly requests: readonly number[];
  /** Said in place of the assumption's own. */
  readonly claim?: string;
  /** Said in place of the assumption's own. */
  readonly refutation?: Refutation;
}

/** One thing that could have refuted an assumption. */
export interface Case {
  /** Number of the request. */
  readonly number: number;
  /** What refutes the assumption: `null`, `404`; `undefined` when nothing does. */
  readonly fault?: string | undefined;
}

/**
 * Counts cases: one fault refutes, and none confirms.
 *
 * @param none evidence of the `UNKNOWN` when there is no case
 * @param more evidence beside the count of a confirmation
 */
export function judge(cases: readonly Case[], none: string, more = ''): Verdict {
  const total = cases.length;
  if (total === 0) return unknown(none);
  const faults = cases.filter(({ fault }) => fault !== undefined);
  if (faults.length === 0)
    return { verdict: 'CONFIRMED', evidence: `${total} of ${total}${more}`, ...toRequests(cases) };
  const counts = [...Map.groupBy(faults, ({ fault }) => fault)].map(
    ([fault, { length }]) => `${fault} in ${length} of ${total}`,
  );
  return { verdict: 'REFUTED', evidence: counts.join(', '), ...toRequests(faults) };
}

/** Makes each observation one case, with the fault that `toFault` finds. */
export function judgeEach(
  observations: readonly Observation[],
  toFault: (observation: Observation) => string | undefined,
  none: string,
  more?: string,
): Verdict {
  const cases = observations.map((one) => ({ number: one.number, fault: toFault(one) }));
  return judge(cases, none, more);
}

export function confirmed(evidence: string, ...cases: readonly Case[]): Verdict {
  return { verdict: 'CONFIRMED', evidence, ...toRequests(cases) };
}

export function refuted(evidence: string, ...cases: readonly Case[]): Verdict {
  return { verdict: 'REFUTED', evidence, ...toRequests(cases) };
}

export function unknown(evidence: string): Verdict {
  return { verdict: 'UNKNOWN', evidence, requests: [] };
}

function toRequests(cases: readonly Case[]): Pick<Verdict, 'requests'> {
  return { requests: [...new Set(cases.map(({ number }) => number))] };
}

/** Why nothing is known of a step: the status of its answer, or that it was not asked. */
export function toReason({ observations, stopped }: Evidence, step: string): string {
  const asked = observations.find((one) => one.step === step);
  if (asked) return toStatus(asked);
  return stopped === undefined ? 'not asked' : 'not asked: the probe stopped';
}

/** `404`, or `no whole answer`. */
export function toStatus({ status }: Observation): string {
  return status === undefined ? 'no whole answer' : String(status);
}
