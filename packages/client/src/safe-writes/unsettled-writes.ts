import type { CreateStudyInput, EditStudyInput } from '../generated/operations.js';
import type { StudyProblem } from '../problem.js';
import type { Entries, Entry } from './entries.js';
import { toWrite, type Documents, type WriteName } from './write.js';

/** Sends a write. Resolves to the problem; `undefined` if the write is made. Never rejects. */
type Send = () => Promise<StudyProblem | undefined>;

/** A write of this user whose outcome is not known. The decisions concern this write, whatever form is open. */
export interface UnsettledWrite {
  /** The idempotency key of the write. */
  readonly key: string;
  readonly operation: WriteName;
  /** Id of the edited study, in lower case. */
  readonly studyId: string | undefined;
  /** What was to be written; `undefined` if it is older than 24 hours. */
  readonly input: CreateStudyInput | EditStudyInput | undefined;
  /** Time of the first attempt, in ms since 1970. */
  readonly since: number;
  /** False if the write is known to this page only: the storage is full or forbidden, or nobody owns the page. */
  readonly stored: boolean;
  /**
   * What may settle the write. `sendAgain`: no answer came. `look`: the gateway answered `UNKNOWN`, and repeats that; read
   * whether the change was made.
   */
  readonly next: 'sendAgain' | 'look';
  /** True if the write is older than 24 hours: its input is gone, and it can only be forgotten. */
  readonly isExpired: boolean;
  /** Sends the write with its key: it is written once at most. `undefined` if it is expired. */
  readonly sendAgain: Send | undefined;
  /** Sends the write with a new key, after somebody has looked that it was not made. `undefined` if it is expired. */
  readonly sendAsNew: Send | undefined;
  /** Forgets the write, after somebody has looked, or wants it no more. */
  readonly forget: () => void;
}

export interface UnsettledWrites {
  /** The unsettled writes, oldest first, but for those that are being sent. The same list until one changes. */
  readonly list: () => readonly UnsettledWrite[];
  /** Calls `listener` when the list may have changed, in this tab or another. Returns what ends that. */
  readonly subscribe: (listener: () => void) => () => void;
}

/** @param isUnderWay tells whether this page is sending the write */
export function createUnsettledWrites(
  entries: Entries,
  documents: Documents | undefined,
  isUnderWay: (key: string) => boolean,
  send: Readonly<Record<'sendAgain' | 'sendAsNew', (key: string) => ReturnType<Send>>>,
): UnsettledWrites {
  let listed: readonly UnsettledWrite[] = [];
  let listedText = '[]';

  const toUnsettled = (entry: Entry): UnsettledWrite => {
    const { key, operation, studyId, since, next, body } = entry;
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a form of the page has made it
    const input = toWrite(body ?? '', documents)?.input as CreateStudyInput | undefined;
    const isExpired = input === undefined;
    return {
      key,
      operation,
      studyId,
      input,
      since,
      stored: entries.isStored(key),
      next,
      isExpired,
      sendAgain: isExpired ? undefined : () => send.sendAgain(key),
      sendAsNew: isExpired ? undefined : () => send.sendAsNew(key),
      forget: () => {
        entries.end(key);
        // The newer write has replaced these.
        entries.endEdits(studyId, since);
      },
    };
  };

  const list = () => {
    const now = Date.now();
    const shown = entries
      .all()
      .filter((entry) => !isUnderWay(entry.key) && entry.sendingUntil <= now)
      .filter((entry) => !entries.isReplaced(entry));
    const text = JSON.stringify(shown.map((entry) => [entry, entries.isStored(entry.key)]));
    if (text !== listedText) {
      listedText = text;
      listed = shown.map(toUnsettled);
    }
    return listed;
  };

  return { list, subscribe: (listener) => entries.subscribe(listener) };
}
