import { findAnswer, isRecord, parse } from '../answer.js';
import { studyProblem } from '../study-problem.js';
import type { WriteName } from './write.js';

/** A write whose outcome is not known, as the storage keeps it. */
export interface Entry {
  readonly key: string;
  readonly url: string;
  readonly owner: string | null;
  readonly operation: WriteName;
  /** Id of the edited study, in lower case. */
  readonly studyId?: string | undefined;
  /** Body of the request, with document, variables and key; `undefined` after 24 hours. */
  readonly body?: string | undefined;
  /** Time of the first attempt, in ms since 1970. */
  readonly since: number;
  /** Number of attempts that may have written, those under way included. */
  readonly open: number;
  /** Until this time another page may be sending the write, in ms since 1970. */
  readonly sendingUntil: number;
  readonly next: 'sendAgain' | 'look';
  /** True if the user has sent the write from the list: a refusal leaves the entry, which has the only copy of the input. */
  readonly isOnlyCopy?: boolean | undefined;
}

/**
 * What an attempt shows of its write. `known`: its outcome. `nothing`: this attempt wrote nothing. `unknown`: the gateway
 * does not know. `lost`: no answer came.
 */
export type Verdict = 'known' | 'nothing' | 'unknown' | 'lost';

/** What an attempt leaves of its entry: the number of attempts that may have written. */
const openAfter: Readonly<Record<Verdict, (open: number) => number>> = {
  // The gateway has told what became of the key, whichever attempt wrote.
  known: () => 0,
  // Says nothing about earlier attempts.
  nothing: (open) => open - 1,
  unknown: (open) => open,
  lost: (open) => open,
};

/** Returns the entry after an attempt; `undefined` if the outcome of the write is known. */
export function settle(entry: Entry, verdict: Verdict): Entry | undefined {
  const open = openAfter[verdict](entry.open);
  if (open <= 0 && (verdict === 'known' || !entry.isOnlyCopy)) return undefined;
  const next = verdict === 'unknown' ? 'look' : entry.next;
  return { ...entry, open: Math.max(open, 0), next, sendingUntil: 0 };
}

/** Returns what an answer shows; the text is `undefined` if no answer came. */
export function toVerdict(text: string | undefined): Verdict {
  const body = parse(text ?? '');
  if (!isRecord(body)) return 'lost';
  if (isRecord(body.data) && Object.values(body.data).some(isRecord)) return 'known';
  if (!findAnswer([body])) return 'lost';
  const { kind, code, reason } = studyProblem(body, 'mutation');
  if (reason === 'IDEMPOTENCY_KEY_REUSED') return 'nothing';
  if (kind === 'applied') return 'known';
  // These refusals free the key: the gateway has not looked what became of an earlier attempt.
  const isOfCaller = /^(?:UNAUTHENTICATED|FORBIDDEN|RATE_LIMITED)$/.test(code);
  if (kind === 'rejected') return isOfCaller ? 'nothing' : 'known';
  return kind === 'notSent' ? 'nothing' : 'unknown';
}

/** What a new write finds among the entries of its owner. */
export interface Found {
  /** The entry of an equal write, whose key the new write uses. */
  readonly equal: Entry | undefined;
  /** Older edits of the same study, which would overwrite the new write. */
  readonly superseded: readonly Entry[];
}

/** Finds the equal write and the edits that a write supersedes. Of several edits of one study only the newest lends its key. */
export function findEntries(
  entries: readonly Entry[],
  studyId: string | undefined,
  isEqual: (entry: Entry) => boolean,
): Found {
  // oxlint-disable-next-line unicorn/no-array-sort -- sorts an array of its own
  const newestFirst = [...entries].sort((a, b) => b.since - a.since);
  const edits = newestFirst.filter((entry) => studyId && entry.studyId === studyId);
  const candidates = studyId ? edits.slice(0, 1) : newestFirst;
  const equal = candidates.find(isEqual);
  return { equal, superseded: edits.filter((entry) => entry !== equal) };
}
