import { isRecord, parseJson } from '../answer.js';
import type { CreateStudyInput, EditStudyInput } from '../generated/operations.js';
import type { StudyProblem } from '../problem.js';
import { studyProblem } from '../study-problem.js';
import type { Entries, Entry, NewEntry } from './entries.js';
import { toWrite, type Documents } from './write.js';

/** Sends a write. Resolves to the problem; `undefined` if the write is made. Never rejects. */
type Send = () => Promise<StudyProblem | undefined>;

/** A write of this user whose outcome is not known. The decisions concern this write, whatever form is open. */
export interface UnsettledWrite extends Pick<
  Entry,
  'key' | 'operation' | 'studyId' | 'since' | 'next'
> {
  /** What was to be written; `undefined` if it is older than 24 hours. */
  readonly input: CreateStudyInput | EditStudyInput | undefined;
  /** False if the write is known to this page only: the storage is full or forbidden, or nobody owns the page. */
  readonly stored: boolean;
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

/**
 * @param send sends what `toNext` returns, which is called while no other tab changes an entry; throws for `undefined`
 */
export function createUnsettledWrites(
  entries: Entries,
  documents: Documents | undefined,
  send: (toNext: () => NewEntry | undefined) => Promise<Response>,
): UnsettledWrites {
  let listed: readonly UnsettledWrite[] = [];
  let listedText = '[]';

  const again = async (key: string, toNext: (entry: Entry) => NewEntry | undefined) => {
    try {
      const response = await send(() => {
        const known = entries.get(key);
        return known?.body && !entries.isReplaced(known) ? toNext(known) : undefined;
      });
      const body = parseJson(await response.text());
      const isMade = isRecord(body) && isRecord(body.data) && !body.errors;
      return isMade ? undefined : studyProblem(body, 'mutation');
    } catch (error) {
      return studyProblem(error, 'mutation');
    }
  };

  const toUnsettled = (entry: Entry): UnsettledWrite => {
    const { key, owner, operation, studyId, since, next, body } = entry;
    const write = toWrite(body ?? '', documents);
    const toNew = ({ sendingUntil }: Entry) => {
      if (!write || sendingUntil > Date.now()) return undefined;
      const created = entries.create(write, owner);
      // The storage may be full: the new item takes the place of the old one.
      entries.remove(key);
      return created;
    };
    return {
      key,
      operation,
      studyId,
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a form of the page has made it
      input: write?.input as CreateStudyInput | undefined,
      since,
      stored: entries.isStored(key),
      next,
      isExpired: !write,
      sendAgain: write && (() => again(key, (known) => known)),
      sendAsNew: write && (() => again(key, toNew)),
      forget: () => {
        entries.remove(key);
        // The newer write has replaced these.
        entries.removeEdits(studyId, since);
      },
    };
  };

  const list = () => {
    const now = Date.now();
    const shown = entries
      .all()
      .filter((entry) => entry.sendingUntil <= now && !entries.isReplaced(entry));
    const text = JSON.stringify(shown.map((entry) => [entry, entries.isStored(entry.key)]));
    if (text !== listedText) {
      listedText = text;
      listed = shown.map(toUnsettled);
    }
    return listed;
  };

  return { list, subscribe: (listener) => entries.subscribe(listener) };
}
