import { randomUUID } from 'node:crypto';
import { EventEmitter, once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { answerBytes, cut, toHead } from '../../support/faults.js';
import { answerJson, type ReceivedCall, type Respond } from '../../support/study-api.js';
import { wholeStudy } from '../../support/studies.js';
import type { Answer } from './ask.js';

/** How a call to the Study API ends. Default: it is carried out, and answered with 201 and the study. */
export interface Ending {
  readonly carries?: boolean;
  readonly status?: number;
  readonly body?: 'study' | 'none' | 'broken' | 'drift' | 'other' | 'success' | 'refusal';
  readonly cuts?: 'request' | 'answer';
  /** Whether the call waits for `release`, before it is carried out or after. */
  readonly holds?: 'before' | 'after';
  /** Time until the answer, in ms. */
  readonly delay?: number;
}

interface Write {
  readonly method: 'POST' | 'PATCH';
  readonly token: string;
  readonly requestId: string | null;
  /** The header `Idempotency-Key`. */
  readonly key: string | null;
  readonly carried: boolean;
  readonly studyId: string | null;
  /** A value of the study that only its account may see. */
  readonly secret: string | null;
}

/** What the Study API saw of the writes with one mark, and of reads of their studies. */
export interface Ledger {
  readonly writes: readonly Write[];
  readonly reads: readonly { readonly token: string; readonly studyId: string }[];
}

/** A Study API. A study belongs to the account that created it; the description of a write is its mark. */
export interface Api {
  readonly port: number;
  /** Says how the writes with a mark end, in order; later ones are carried out. */
  readonly end: (mark: string, ...endings: readonly Ending[]) => void;
  /** Says how reads with a token end. */
  readonly read: (token: string, ending: Ending) => void;
  readonly release: (mark: string) => void;
  /** Waits for so many calls, and returns the ledger of a mark. */
  readonly ledger: (
    mark: string,
    least?: { arrived?: number; carried?: number },
  ) => Promise<Ledger>;
  /** Creates a study without a gateway, and returns its id. */
  readonly create: (token: string) => string;
  readonly close: () => void;
}

interface Stored {
  readonly account: string | undefined;
  readonly mark: string;
  readonly secret: string;
  readonly study: object;
}

const toBody: Readonly<Record<NonNullable<Ending['body']>, (study: object) => string>> = {
  study: (study) => JSON.stringify(study),
  none: () => '',
  broken: () => '{"study": broken}',
  drift: (study) => JSON.stringify({ ...study, description: [5] }),
  other: (study) => JSON.stringify({ ...study, id: randomUUID() }),
  success: () => '{"success":true}',
  refusal: () => '{"detail":[{"loc":["body","projectId"],"msg":"no","type":"value_error"}]}',
};

/** Answers as `ending` says. */
function answer({ status = 201, body = 'study', cuts }: Ending, study: object): Respond {
  const text = toBody[body](study);
  if (cuts === 'request') return cut('', 'FIN');
  const length = `content-length: ${Buffer.byteLength(text)}`;
  if (cuts === 'answer')
    return cut(toHead(`${status} OK`, [length], text.slice(0, text.length / 2)), 'FIN');
  return answerBytes(text, text ? { 'content-type': 'application/json' } : {}, status);
}

/** Starts a Study API on a free port. */
export async function startApi(): Promise<Api> {
  const studies = new Map<string, Stored>();
  const writeEndings = new Map<string, Ending[]>();
  const readEndings = new Map<string, Ending>();
  const ledgers = new Map<string, { writes: Write[]; reads: Ledger['reads'][number][] }>();
  const releases = new Map<string, PromiseWithResolvers<void>>();
  const events = new EventEmitter().setMaxListeners(0);

  const toLedger = (mark: string) => getOrSet(ledgers, mark, () => ({ writes: [], reads: [] }));
  const toRelease = (mark: string) => getOrSet(releases, mark, () => Promise.withResolvers<void>());
  const store = (token: string, body: { description: string }, id: string): Stored => {
    const { study, secret = `secret-${randomUUID()}` } = studies.get(id) ?? {};
    const stored = {
      account: toAccount(token),
      mark: body.description,
      secret,
      study: { ...wholeStudy, ...study, ...body, id, planId: secret },
    };
    studies.set(id, stored);
    return stored;
  };

  async function write(call: ReceivedCall, token: string, asked: string): Promise<Respond> {
    const body = JSON.parse(call.body) as { description: string };
    const mark = body.description;
    const ending: Ending = writeEndings.get(mark)?.shift() ?? {};
    const entry: Write = {
      method: call.method as Write['method'],
      token,
      requestId: String(call.headers['x-request-id']),
      key: call.headers['idempotency-key']?.toString() ?? null,
      carried: false,
      studyId: null,
      secret: null,
    };
    toLedger(mark).writes.push(entry);
    events.emit('changed');
    if (ending.holds === 'before') await toRelease(mark).promise;
    if (asked && studies.get(asked)?.account !== toAccount(token)) return answerJson({}, 404);
    let study = {};
    if (ending.carries ?? true) {
      const id = asked || randomUUID();
      const stored = store(token, body, id);
      study = stored.study;
      Object.assign(entry, { carried: true, studyId: id, secret: stored.secret });
      events.emit('changed');
    }
    if (ending.holds === 'after') await toRelease(mark).promise;
    if (ending.delay) await sleep(ending.delay, undefined, { ref: false });
    return answer(ending, study);
  }

  async function read(token: string, studyId: string): Promise<Respond> {
    const stored = studies.get(studyId);
    toLedger(stored?.mark ?? '').reads.push({ token, studyId });
    if (stored?.account !== toAccount(token)) return answerJson({}, 404);
    const ending = readEndings.get(token) ?? { status: 200 };
    if (ending.delay) await sleep(ending.delay, undefined, { ref: false });
    return answer(ending, stored!.study);
  }

  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { method = '', url = '', headers } = request;
    const call = { method, url, headers, body: await text(request) };
    const token = headers.authorization?.slice('Bearer '.length) ?? '';
    const id = url.slice('/studies/'.length);
    const respond = await (method === 'GET' ? read(token, id) : write(call, token, id));
    respond(response, call, request);
  };
  const server = createServer((...exchange) => void serve(...exchange));
  // No connection is closed between two calls of a test.
  server.keepAliveTimeout = 60_000;
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    end: (mark, ...endings) => void writeEndings.set(mark, [...endings]),
    read: (token, ending) => void readEndings.set(token, ending),
    release: (mark) => toRelease(mark).resolve(),
    ledger: async (mark, { arrived = 0, carried = 0 } = {}) => {
      const { writes, reads } = toLedger(mark);
      while (writes.length < arrived || writes.filter((one) => one.carried).length < carried)
        await once(events, 'changed');
      return structuredClone({ writes, reads });
    },
    create: (token) => {
      const id = randomUUID();
      store(token, { description: `set up ${id}` }, id);
      return id;
    },
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

function getOrSet<Value>(map: Map<string, Value>, key: string, create: () => Value): Value {
  const value = map.get(key) ?? create();
  map.set(key, value);
  return value;
}

const refusal = { carries: false, body: 'refusal' } as const;

/** Every ending of a write, and the words that are true of it, as the gateway may see it. */
export const endings = {
  'a study': { ending: {}, words: ['study'] },
  'a study that came late': { ending: { delay: 300 }, words: ['study'] },
  'a study with a broken field': { ending: { body: 'drift' }, words: ['APPLIED'] },
  '201 without a body': { ending: { body: 'none' }, words: ['APPLIED'] },
  '204': { ending: { status: 204, body: 'none' }, words: ['APPLIED'] },
  '201 with broken JSON': { ending: { body: 'broken' }, words: ['UNKNOWN'] },
  '200 without a study': { ending: { status: 200, body: 'success' }, words: ['UNKNOWN'] },
  'a 200 for nothing': { ending: { ...refusal, status: 200, body: 'success' }, words: ['UNKNOWN'] },
  'an answer that was cut': { ending: { cuts: 'answer' }, words: ['APPLIED', 'UNKNOWN'] },
  'a cut after the write': { ending: { cuts: 'request' }, words: ['UNKNOWN'] },
  'a cut before the write': { ending: { carries: false, cuts: 'request' }, words: ['UNKNOWN'] },
  'no answer in time': { ending: { delay: 600_000 }, words: ['UNKNOWN'] },
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
