import { print, type DocumentNode } from 'graphql';
import { expect, onTestFinished, vi } from 'vitest';
import {
  CreateStudyDocument,
  EditStudyDocument,
  safeWrites,
  studyProblem,
  type SafeWritesOptions,
  type UnsettledWrite,
  type UnsettledWrites,
  type WriteStorage,
} from 'study-gateway-client';
import { wholeStudy } from '../support/studies.js';
import { answerJson, type Respond } from '../support/study-api.js';
import { cut, pass, startHop, type Hop } from './hop.fixture.js';

/** An idempotency key of the package. */
export const aKey: unknown = expect.stringMatching(
  /^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/,
);

type Options = Partial<SafeWritesOptions>;

/** A storage like that of a browser: its names are properties of its own. */
export function createStorage(onChange: () => void = () => {}): WriteStorage {
  const methods: WriteStorage & ThisType<Record<string, string>> = {
    getItem(name) {
      return this[name] ?? null;
    },
    setItem(name, value) {
      this[name] = value;
      onChange();
    },
    removeItem(name) {
      delete this[name];
      onChange();
    },
  };
  return Object.create(methods) as WriteStorage;
}

/** The text of a request body. */
export function toText(init: RequestInit | undefined): string {
  return typeof init?.body === 'string' ? init.body : '';
}

/** Answers of the way between browser and gateway, in turn, and `pass` after them. */
export function inTurn(...hops: readonly Hop[]): Hop {
  const left = [...hops];
  return (...args) => (left.shift() ?? pass)(...args);
}

/** Four lost answers: as many as there are attempts. */
export const lost: readonly Hop[] = [cut, cut, cut, cut];

export function first(writes: UnsettledWrites): UnsettledWrite {
  const [write] = writes.list();
  if (!write) throw new Error('No unsettled write.');
  return write;
}

/** The GraphQL answer of somebody between browser and gateway, or of a gateway that lost its Redis. */
export const answer =
  (extensions: object): Hop =>
  (response) =>
    pass(
      response,
      JSON.stringify({
        errors: [{ message: 'No.', path: ['createStudy'], extensions }],
        data: { createStudy: null },
      }),
    );

export const overloaded = answer({ code: 'OVERLOADED', outcome: 'NOT_SENT', retryable: true });
export const refused = answer({ code: 'BAD_USER_INPUT', outcome: 'REJECTED', retryable: false });

/**
 * A browser with a gateway. `open` opens a tab of it: they share a storage and Web Locks. The waits between attempts are
 * 1/200 of those of a user.
 */
export async function startBrowser(hop: Hop = pass, api: Respond = answerJson(wholeStudy)) {
  const keys: unknown[] = [];
  const { url: origin, calls, requests } = await startHop(hop, { api });
  const url = `${origin}/graphql`;
  vi.spyOn(Math, 'random').mockReturnValue(-0.99);
  const window = Object.assign(new EventTarget(), { navigator, location: { href: origin } });
  vi.stubGlobal('window', window);
  onTestFinished(() => {
    vi.restoreAllMocks();
    vi.unstubAllGlobals();
  });
  const storage = createStorage(() => window.dispatchEvent(new Event('storage')));

  const open = (options: Options = {}) => {
    const sender: typeof fetch = (input, init) => {
      const { variables } = JSON.parse(toText(init)) as {
        variables?: Record<string, unknown>;
      };
      keys.push(variables?.['idempotencyKey']);
      return fetch(input, init);
    };
    const { fetch: safeFetch, unsettledWrites } = safeWrites({
      fetch: sender,
      url,
      headers: () => ({ authorization: 'Bearer token' }),
      owner: () => 'ada',
      storage,
      ...options,
    });
    /** Sends a body, and returns that of the answer. */
    const post = async (body: unknown, init: RequestInit = {}): Promise<unknown> => {
      const response = await safeFetch(url, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
        ...init,
      });
      return response.json();
    };
    const run = (document: DocumentNode, variables: object, init?: RequestInit) =>
      post({ query: print(document), variables }, init);
    /** Returns the kind of the problem; `ok` if there is none. */
    const toKind = (call: Promise<unknown>) =>
      call.then(
        (body) => ('errors' in (body as object) ? studyProblem(body).kind : 'ok'),
        (error: unknown) => studyProblem(error).kind,
      );
    return {
      fetch: safeFetch,
      unsettledWrites,
      list: unsettledWrites.list,
      post,
      run,
      create: (description: string, init?: RequestInit) =>
        toKind(run(CreateStudyDocument, { input: { description } }, init)),
      edit: (description: string, init?: RequestInit) =>
        toKind(run(EditStudyDocument, { id: wholeStudy.id, input: { description } }, init)),
      /** What the user sees: the inputs of the unsettled writes. */
      descriptions: () => unsettledWrites.list().map(({ input }) => input?.description),
    };
  };

  /** The descriptions that the Study API has got, in order. */
  const written = () =>
    calls
      .filter(({ method }) => method !== 'GET')
      .map(({ body }) => (JSON.parse(body) as { description?: string }).description);
  return { open, url, storage, keys, calls, requests, written, window };
}
