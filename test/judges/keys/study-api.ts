import { randomUUID } from 'node:crypto';
import type { Answer } from './ask.js';

/** How a call to the Study API ends, as `study_api.py` reads it. */
export interface Ending {
  readonly carries?: boolean;
  readonly status?: number;
  readonly body?: 'study' | 'none' | 'broken' | 'drift' | 'other' | 'success' | 'refusal';
  readonly cuts?: 'request' | 'answer';
  readonly holds?: 'before' | 'after';
  readonly delay?: number;
}

interface Write {
  readonly method: 'POST' | 'PATCH';
  readonly token: string;
  readonly requestId: string | null;
  /** The header `Idempotency-Key`. */
  readonly key: string | null;
  readonly carried: boolean;
  /** Status of the answer, `null` without one. */
  readonly status: number | null;
  readonly studyId: string | null;
  /** A value of the study that only its account may see. */
  readonly secret: string | null;
}

/** What the Study API saw of the writes with one mark, and of reads of their studies. */
export interface Ledger {
  readonly writes: readonly Write[];
  readonly reads: readonly { readonly token: string; readonly studyId: string }[];
}

export interface Api {
  /** Says how the writes with each mark end, in order; later ones are carried out. */
  readonly end: (endings: Readonly<Record<string, readonly Ending[]>>) => Promise<void>;
  /** Says how reads with each token end. */
  readonly read: (endings: Readonly<Record<string, Ending>>) => Promise<void>;
  readonly release: (...marks: string[]) => Promise<void>;
  /** Waits for so many calls, and returns the ledger of a mark. */
  readonly ledger: (
    mark: string,
    least?: { arrived?: number; carried?: number },
  ) => Promise<Ledger>;
  /** Creates a study without a gateway, and returns its id. */
  readonly create: (token: string) => Promise<string>;
}

/** Returns the controls of the Study API at `url`. */
export function createApi(url: string): Api {
  const headers = { 'content-type': 'application/json' };
  const send = async (method: string, path: string, body: unknown): Promise<void> => {
    const response = await fetch(url + path, { method, headers, body: JSON.stringify(body) });
    if (response.status !== 204) throw new Error(await response.text());
  };
  return {
    end: (endings) => send('PUT', '/_endings', endings),
    read: (endings) => send('PUT', '/_reads', endings),
    release: (...marks) => send('POST', '/_release', marks),
    ledger: async (mark, { arrived = 0, carried = 0 } = {}) => {
      const query = new URLSearchParams({ mark, arrived: `${arrived}`, carried: `${carried}` });
      const response = await fetch(`${url}/_ledger?${query.toString()}`);
      return (await response.json()) as Ledger;
    },
    create: async (token) => {
      const body = JSON.stringify({ description: `set up ${randomUUID()}` });
      const init = {
        method: 'POST',
        headers: { ...headers, authorization: `Bearer ${token}` },
        body,
      };
      const response = await fetch(`${url}/studies`, init);
      return ((await response.json()) as { id: string }).id;
    },
  };
}

const refusal = { carries: false, body: 'refusal' } as const;

/** Every ending of a write, and the words that are true of it, as the gateway may see it. */
export const endings = {
  'a study': { ending: {}, words: ['study'] },
  'a study that came late': { ending: { delay: 0.3 }, words: ['study'] },
  'a study with a broken field': { ending: { body: 'drift' }, words: ['APPLIED'] },
  '201 without a body': { ending: { body: 'none' }, words: ['APPLIED'] },
  '204': { ending: { status: 204, body: 'none' }, words: ['APPLIED'] },
  '201 with broken JSON': { ending: { body: 'broken' }, words: ['UNKNOWN'] },
  '200 without a study': { ending: { status: 200, body: 'success' }, words: ['UNKNOWN'] },
  'a 200 for nothing': { ending: { ...refusal, status: 200, body: 'success' }, words: ['UNKNOWN'] },
  'an answer that was cut': { ending: { cuts: 'answer' }, words: ['APPLIED', 'UNKNOWN'] },
  'a cut after the write': { ending: { cuts: 'request' }, words: ['UNKNOWN'] },
  'a cut before the write': { ending: { carries: false, cuts: 'request' }, words: ['UNKNOWN'] },
  'no answer in time': { ending: { delay: 600 }, words: ['UNKNOWN'] },
  '302': { ending: { carries: false, status: 302, body: 'none' }, words: ['UNKNOWN'] },
  '400': { ending: { ...refusal, status: 400 }, words: ['REJECTED'] },
  '401': { ending: { ...refusal, status: 401 }, words: ['REJECTED'] },
  '403': { ending: { ...refusal, status: 403 }, words: ['REJECTED'] },
  '404': { ending: { ...refusal, status: 404 }, words: ['REJECTED'] },
  '408': { ending: { status: 408, body: 'refusal' }, words: ['UNKNOWN'] },
  '409': { ending: { ...refusal, status: 409 }, words: ['REJECTED'] },
  '422': { ending: { ...refusal, status: 422 }, words: ['REJECTED'] },
  '429': { ending: { ...refusal, status: 429 }, words: ['REJECTED'] },
  '500 after the write': { ending: { status: 500, body: 'success' }, words: ['UNKNOWN'] },
  '500 before the write': { ending: { ...refusal, status: 500 }, words: ['UNKNOWN'] },
  '503 after the write': { ending: { status: 503, body: 'none' }, words: ['UNKNOWN'] },
  'no connection': { ending: {}, words: ['NOT_SENT'] },
} as const satisfies Record<string, { ending: Ending; words: readonly Word[] }>;

export type EndingName = keyof typeof endings;

/** What an answer says of a write: an outcome, or the whole study without an error. */
export type Word = 'study' | 'NOT_SENT' | 'REJECTED' | 'APPLIED' | 'UNKNOWN';

/** Returns the account of a token: it may read its own studies. */
export const toAccount = (token: string): string | undefined => token.split('.')[0];

/**
 * Returns what the ledger of a key denies of an answer, and what the answer shows of the study of another account.
 *
 * @param id of the study to edit, which is in the call itself
 */
export function findLies(
  { word, requestId, token, text }: Answer,
  writes: Ledger['writes'],
  id: string | undefined,
): string[] {
  const own = writes.filter((write) => write.requestId === requestId);
  const carried = writes.filter((write) => write.carried);
  const hidden = carried.filter((write) => toAccount(write.token) !== toAccount(token));
  const isShown = hidden.some(
    ({ secret, studyId }) => text.includes(secret!) || (!id && text.includes(studyId!)),
  );
  const lies = {
    'NOT_SENT of a write that was sent': word === 'NOT_SENT' && own.length > 0,
    'REJECTED of a write that was carried out':
      word === 'REJECTED' && own.some((write) => write.carried),
    'made, of a write that was not carried out':
      (word === 'APPLIED' || word === 'study') && carried.length === 0,
    'shows a study of another account': isShown,
  };
  return Object.entries(lies).flatMap(([lie, isTold]) => (isTold ? [lie] : []));
}
