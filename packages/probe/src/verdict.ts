import type { Exchange } from './ask.js';
import type { Evidence } from './evidence.js';
import type { OperationName, Source } from './fields.js';

/** A line of the contract file. `undefined` removes it, and an empty text is a place that a person must settle. */
export interface Line {
  /** JSON Pointer: `/answer/names/planId`. */
  readonly at: string;
  readonly value: unknown;
}

/**
 * - `fails`: an operation does not work.
 * - `differs`: the API does not as the contract says, or as is assumed without one.
 * - `settle`: a person must settle what requests cannot tell.
 * - `note`: nothing has to change.
 * - `open`: nothing was seen that could tell.
 * - `so`: the statement holds.
 */
export type Judgement = 'fails' | 'differs' | 'settle' | 'note' | 'open' | 'so';

export interface Verdict {
  readonly is: Judgement;
  /** What was seen, in types, counts and statuses: never a value. */
  readonly seen: string;
  readonly exchanges?: readonly Exchange[];
  /** Lines of the contract file to change. */
  readonly lines?: readonly Line[];
  /** What to do where no line of the file helps, or how to fill an empty place. */
  readonly advice?: string;
  /** Id of the statement that the verdict rests on. */
  readonly restsOn?: string | undefined;
  /** Operations that the verdict is about. Default: those of the statement. */
  readonly operations?: readonly OperationName[];
}

/** One thing that is asked of an API: a statement that holds, or does not. */
interface Statement {
  /** Never changes: programs find the statement by it in the JSON report. */
  readonly id: string;
  readonly claim: string;
  readonly source: Source;
  readonly askedBy: 'reading' | 'writing';
  /** Operations that rely on it. */
  readonly operations: readonly OperationName[];
  /** Place in the contract file that can say otherwise. */
  readonly line?: string | undefined;
}

type Judge = (evidence: Evidence) => Verdict | readonly Verdict[];

export interface Question extends Statement {
  readonly judge: Judge;
}

export type Judged = Statement & Verdict;

/** Returns a function that makes questions with this source and these operations. */
export function questionsOf(
  askedBy: Statement['askedBy'],
  source: Source,
  ...operations: readonly OperationName[]
) {
  return (id: string, claim: string, judge: Judge, line?: string): Question => ({
    id,
    claim,
    source,
    askedBy,
    operations,
    judge,
    line,
  });
}

export function open(seen: string, restsOn?: string): Verdict {
  return { is: 'open', seen, restsOn };
}

export function so(seen: string, ...exchanges: readonly Exchange[]): Verdict {
  return { is: 'so', seen, exchanges };
}

export const fails = toFinding('fails');
export const differs = toFinding('differs');
export const settle = toFinding('settle');
export const note = toFinding('note');

function toFinding(is: Judgement) {
  return (
    seen: string,
    exchanges: readonly Exchange[],
    ...fix: readonly (string | Line)[]
  ): Verdict => ({
    is,
    seen,
    exchanges,
    lines: fix.filter((one) => typeof one !== 'string'),
    advice: fix.filter((one) => typeof one === 'string').join(' '),
  });
}

/** Returns the faults of cases with their counts, `null in 2 of 9`; `undefined` if no case has one. */
export function countFaults<One>(
  cases: readonly One[],
  toFault: (one: One) => string | undefined,
): string | undefined {
  const faulty = Map.groupBy(cases, toFault);
  faulty.delete(undefined);
  const counts = [...faulty].map(
    ([fault, { length }]) => `${fault} in ${length} of ${cases.length}`,
  );
  return counts.length > 0 ? counts.join(', ') : undefined;
}
