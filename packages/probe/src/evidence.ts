import type { Contract, JsonObject, OperationName } from 'study-gateway-contract';
import { isSuccess, type Exchange } from './ask.js';
import { findStudy, readStudy, toStudy, type Learned } from './learn.js';
import type { Page, Reader } from './read.js';
import type { Written } from './send-write.js';

/** Everything that one run has seen: what verdicts are made of. */
export interface Evidence {
  readonly contract: Contract;
  readonly exchanges: readonly Exchange[];
  readonly reader: Reader;
  /** `undefined` unless the probe was allowed to write. */
  readonly written: Written | undefined;
  /** All studies that answers show; of writes, the one with all fields first. */
  readonly studies: readonly { readonly exchange: Exchange; readonly study: JsonObject }[];
  /** Place of the study in the answer to one study. */
  readonly at: string | undefined;
  readonly learned: Learned;
  /** Why the run stopped early. */
  readonly stopped: string | undefined;
  /** The list without parameters, and the create with all fields: of statements that need them. */
  readonly list: Page;
  readonly whole: Exchange;
  /** Returns the last exchange of a step. */
  readonly find: (step: string) => Exchange | undefined;
  /** Returns the study in an answer, by GraphQL names; `undefined` without success. */
  readonly show: (exchange: Exchange | undefined) => JsonObject | undefined;
  /** Returns why a step shows nothing. */
  readonly unseen: (step: string) => Verdict;
}

type Seen = Omit<Evidence, 'list' | 'whole' | 'find' | 'show' | 'unseen'>;

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
  /** Observation, in types, counts and statuses: never a value. */
  readonly seen: string;
  readonly exchanges?: readonly Exchange[];
  /** Lines of the contract file to change. */
  readonly lines?: readonly Line[];
  /** Advice where no line of the file helps, or how to fill in an empty value. */
  readonly advice?: string;
  /** Id of the statement that the verdict rests on. */
  readonly restsOn?: string | undefined;
  /** Operations that the verdict is about. Default: those of the statement. */
  readonly operations?: readonly OperationName[];
}

/** Returns what is found; nothing if the statement holds. */
export type Judge = (evidence: Evidence) => Verdict | readonly Verdict[] | undefined;
export type Judges = Readonly<Record<string, Judge>>;

export function open(seen: string, restsOn?: string): Verdict {
  return { is: 'open', seen, restsOn };
}

const toFinding =
  (is: Judgement) =>
  (seen: string, exchanges: readonly Exchange[], ...fix: readonly (string | Line)[]): Verdict => ({
    is,
    seen,
    exchanges,
    lines: fix.filter((one) => typeof one !== 'string'),
    advice: fix.filter((one) => typeof one === 'string').join(' '),
  });
export const fails = toFinding('fails');
export const differs = toFinding('differs');
export const settle = toFinding('settle');
export const note = toFinding('note');

export const NO_FILE = 'No file can help.';

function toGiven<Value>(value: Value | undefined): Value {
  if (value === undefined) throw new TypeError('A statement is judged without what it needs.');
  return value;
}

export function toEvidence(seen: Seen): Evidence {
  const { contract, exchanges, at, learned, reader, written, stopped } = seen;
  const find = (step: string): Exchange | undefined =>
    exchanges.findLast((one) => one.step === step);
  return {
    ...seen,
    find,
    get list() {
      return toGiven(reader.pages.get('list'));
    },
    get whole() {
      return toGiven(written?.whole);
    },
    show: (exchange) => {
      if (!exchange || !isSuccess(exchange)) return undefined;
      const place = at ?? findStudy(exchange.json, contract.answer);
      const shown = toStudy(readStudy(exchange.json, place), learned.names);
      return Object.values(shown).some((value) => value !== undefined) ? shown : undefined;
    },
    unseen: (step) => {
      const exchange = find(step);
      if (!exchange)
        return open(stopped === undefined ? 'not asked' : 'not asked: the probe stopped');
      const { fault, status = 0 } = exchange;
      if (fault !== undefined && status >= 200 && status < 400) return open(fault, 'http.answer');
      const seen = isSuccess(exchange)
        ? 'nothing to tell it by'
        : `answered ${status || 'nothing'}`;
      return open(seen, 'http.found');
    },
  };
}

/** Statuses of an operation that an API does not have. */
export const missing = new Set([404, 405, 501]);

/** A 404 may be of the study: it is of the operation only if a step with a malformed id gets one too. */
export function isMissing({ find }: Evidence, { status = 0 }: Exchange, badId: string): boolean {
  return status === 404 ? find(badId)?.status === 404 : missing.has(status);
}

/** Returns the faults of cases with their counts, `null in 2 of 9`; `undefined` if no case has one. */
export function countFaults<One>(
  cases: readonly One[],
  toFault: (one: One) => string | undefined,
): string | undefined {
  const faulty = [...Map.groupBy(cases, toFault)].flatMap(([fault, { length }]) =>
    fault === undefined ? [] : `${fault} in ${length} of ${cases.length}`,
  );
  return faulty.join(', ') || undefined;
}
