import type { CreateStudyInput, EditStudyInput } from '../generated/operations.js';
import type { Entries } from './entries.js';
import type { Entry } from './settle.js';
import { toWriteRequest } from './write.js';

/** Sends a write, and resolves to the body of the answer: pass it, or the error, to `studyProblem`. */
type Send = () => Promise<unknown>;

interface Facts {
  /** The idempotency key of the write. */
  readonly key: string;
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

/** A write of this user whose outcome is not known. The decisions concern this write, whatever form is open. */
export type UnsettledWrite = Facts &
  (
    | { readonly operation: 'createStudy'; readonly input: CreateStudyInput | undefined }
    | {
        readonly operation: 'editStudy';
        readonly studyId: string;
        readonly input: EditStudyInput | undefined;
      }
  );

export interface UnsettledWrites {
  /** The unsettled writes, oldest first, but for those that are being sent. The same list until one changes. */
  readonly list: () => readonly UnsettledWrite[];
  /** Calls `listener` when the list may have changed, in this tab or another. Returns what ends that. */
  readonly subscribe: (listener: () => void) => () => void;
}

interface Options {
  readonly entries: Entries;
  readonly documents: Readonly<Record<string, string>> | undefined;
  /** Tells whether this page is sending the write, or knows its outcome. */
  readonly isHidden: (key: string) => boolean;
  readonly sendAgain: (key: string) => Promise<unknown>;
  readonly sendAsNew: (key: string) => Promise<unknown>;
}

export function createUnsettledWrites({
  entries,
  documents,
  isHidden,
  ...send
}: Options): UnsettledWrites {
  let listed: readonly UnsettledWrite[] = [];
  let listedText = '[]';

  const toWrite = (entry: Entry): UnsettledWrite => {
    const { key, operation, studyId, since, next, body } = entry;
    const input = body === undefined ? undefined : toWriteRequest(body, documents)?.write?.input;
    const isExpired = input === undefined;
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- an input is that of its operation
    return {
      key,
      operation,
      ...(studyId !== undefined && { studyId }),
      input,
      since,
      stored: entries.isStored(entry),
      next,
      isExpired,
      sendAgain: isExpired ? undefined : () => quiet(send.sendAgain(key)),
      sendAsNew: isExpired ? undefined : () => quiet(send.sendAsNew(key)),
      forget: () => entries.remove(key),
    } as UnsettledWrite;
  };

  const list = () => {
    const now = Date.now();
    // oxlint-disable-next-line unicorn/no-array-sort -- sorts an array of its own
    const all = [...entries.all()].sort((a, b) => a.since - b.since);
    const shown = all.filter(({ key, sendingUntil }) => !isHidden(key) && sendingUntil <= now);
    const text = JSON.stringify(shown.map((entry) => [entry, entries.isStored(entry)]));
    if (text !== listedText) {
      listedText = text;
      listed = shown.map(toWrite);
    }
    return listed;
  };

  return { list, subscribe: (listener) => entries.subscribe(listener) };
}

/** Nobody needs to catch the error: the write stays in the list. */
function quiet(call: Promise<unknown>): Promise<unknown> {
  call.catch(() => undefined);
  return call;
}
