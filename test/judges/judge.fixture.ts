import { randomUUID } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import type { ExecutionResult } from 'graphql';
import { afterAll, beforeAll, expect, inject } from 'vitest';
import type { TestGateway } from '../support/gateway.js';
import type { Headers } from '../support/post.js';
import { startPython, type Python } from '../support/python.js';

/** Id of the study that the tests edit and read; the lying APIs give it to a new study too. */
export const id = '5b1f0c9e-2d64-4c1a-9f1e-7a3b8c2d4e50';
export const otherId = '77777777-7777-4777-8777-777777777777';

/** How the Study API answers every call with one token. */
export interface Lie {
  /** Whether a write is stored before the answer. Default: false. */
  readonly stores?: boolean;
  /** Default: 200. */
  readonly status?: number;
  /** Default: no content type. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Default: no body. */
  readonly body?: string;
}

/** What the Study API saw of the calls with one token. */
interface Seen {
  readonly calls: readonly { readonly request: string; readonly body: string }[];
  /** Ids of the studies that these calls stored. */
  readonly stored: readonly string[];
}

export interface FastApi {
  readonly url: string;
  /** Makes the API lie to tokens. */
  readonly tell: (lies: Readonly<Record<string, Lie>>) => Promise<void>;
  /** Returns what the API saw of all tokens that begin with `prefix`. */
  readonly see: (prefix: string) => Promise<Readonly<Record<string, Seen>>>;
}

export const newToken = (): string => `lie-${randomUUID()}`;

export function toBearer(token: string): Headers {
  return { authorization: `Bearer ${token}` };
}

/** Starts the Study API on FastAPI for all tests of a `describe`, if FastAPI is installed. */
export function useFastApi(): FastApi {
  let url = '';
  if (!inject('missingTools').includes('fastapi')) {
    const path = fileURLToPath(new URL('study_api.py', import.meta.url));
    let python: Python | undefined;
    beforeAll(async () => {
      python = await startPython(path);
      url = python.line;
    });
    afterAll(() => python?.end());
  }
  return {
    get url() {
      return url;
    },
    tell: async (lies) => {
      const headers = { 'content-type': 'application/json' };
      const body = JSON.stringify(lies);
      const { status } = await fetch(`${url}/_lies`, { method: 'PUT', headers, body });
      expect(status).toBe(204);
    },
    see: async (prefix) => {
      const response = await fetch(`${url}/_seen?prefix=${prefix}`);
      return (await response.json()) as Readonly<Record<string, Seen>>;
    },
  };
}

/** What a response says of one write: its data, and the extensions of its errors without request ids. */
export interface Verdict {
  readonly data: ExecutionResult['data'];
  readonly extensions: readonly object[];
}

function toVerdict({ data, errors = [] }: ExecutionResult): Verdict {
  const extensions = errors.map(({ extensions: { requestId, ...others } }) => {
    expect(requestId).toEqual(expect.any(String));
    return others;
  });
  return { data, extensions };
}

/** Returns a document for one write. */
export function toWrite(field: 'createStudy' | 'editStudy', selection: string, key = ''): string {
  const keyed = key && `, idempotencyKey: "${key}"`;
  const argument = field === 'createStudy' ? '' : `id: "${id}", `;
  return `mutation { ${field}(${argument}input: { description: "Why?" }${keyed}) { ${selection} } }`;
}

/** What six writes are answered: create and edit, without and with the `id`; a create with a key, and its repeat. */
export async function askSix({ graphql }: TestGateway, headers?: Headers): Promise<Verdict[]> {
  const key = randomUUID();
  const ask = async ([field, selection]: Six, index: number): Promise<Verdict> =>
    toVerdict(await graphql(toWrite(field, selection, index < 4 ? '' : key), {}, headers));
  const first = await Promise.all(six.slice(0, 5).map(ask));
  return [...first, await ask(['createStudy', 'id'], 5)];
}

type Six = readonly ['createStudy' | 'editStudy', 'id' | 'description'];

/** Fields and selections of the six writes; the last two have one key. */
const six: readonly Six[] = [
  ['createStudy', 'description'],
  ['createStudy', 'id'],
  ['editStudy', 'description'],
  ['editStudy', 'id'],
  ['createStudy', 'description'],
  ['createStudy', 'id'],
];

/** The writes that `askSix` makes, sorted: the repeat makes none. */
export const sixWrites = [
  ...Array<string>(2).fill(`PATCH /studies/${id}`),
  ...Array<string>(3).fill('POST /studies'),
];

interface Told {
  readonly code: string;
  readonly outcome: string;
  readonly upstreamStatus?: number | undefined;
  readonly studyId?: string;
}

/**
 * Returns the verdicts of `askSix` if each write fails with an error whose extensions are `told`. The repeat knows the outcome
 * of the first call and the id, and nothing else of its answer; the study cannot be read either.
 */
export function toSixFailures(told: Told): Verdict[] {
  const { outcome, studyId } = told;
  const code = outcome === 'UNKNOWN' ? 'UPSTREAM_TIMEOUT' : 'UPSTREAM_CONTRACT';
  const ofRepeat = { code, outcome, retryable: false, ...(studyId !== undefined && { studyId }) };
  return six.map(([field], index) => ({
    data: { [field]: null },
    extensions: [index < 5 ? { retryable: false, ...told } : ofRepeat],
  }));
}

/** Returns the verdicts of `askSix` if each write succeeds with `study`. */
export function toSixSuccesses(study: {
  readonly id: string;
  readonly description: string;
}): Verdict[] {
  return six.map(([field, name]) => ({
    data: { [field]: { [name]: study[name] } },
    extensions: [],
  }));
}
