import { setTimeout as sleep } from 'node:timers/promises';
import type { Word } from './study-api.js';

export interface Call {
  readonly field: 'createStudy' | 'editStudy';
  /** Id of the study to edit. */
  readonly id?: string;
  /** The description of the study, by which the Study API knows the write. */
  readonly mark: string;
  readonly key?: string;
  /** Bearer token; none without it. */
  readonly token?: string;
}

interface Extensions {
  readonly code: string;
  readonly outcome: Exclude<Word, 'study'>;
  readonly retryable: boolean;
  readonly studyId?: string;
  readonly reason?: string;
  readonly fieldErrors?: readonly { readonly path: readonly unknown[] }[];
}

export interface Answer {
  readonly word: Word;
  readonly study: {
    readonly id: string;
    readonly planId: string;
    readonly description: string;
  } | null;
  /** Of the first error. */
  readonly extensions: Partial<Extensions>;
  readonly requestId: string | null;
  /** Bearer token of the call, '' without one. */
  readonly token: string;
  readonly text: string;
  readonly ms: number;
}

const documents = {
  createStudy: `mutation ($input: CreateStudyInput!, $key: UUID) {
    createStudy(input: $input, idempotencyKey: $key) { id planId description }
  }`,
  editStudy: `mutation ($id: UUID!, $input: EditStudyInput!, $key: UUID) {
    editStudy(id: $id, input: $input, idempotencyKey: $key) { id planId description }
  }`,
};

interface Body {
  readonly data?: Readonly<Record<string, Answer['study']>> | null;
  readonly errors?: readonly { readonly extensions: Extensions }[];
}

/** Number of tries while a busy machine takes longer than the 0.5 s after which Redis counts as silent. */
const MAX_TRIES = 8;

/**
 * Sends one write to a gateway, again if the gateway cannot reach Redis. `onAnswer` gets every answer, also those before
 * the last one.
 */
export async function askPatiently(
  url: string,
  call: Call,
  onAnswer: (answer: Answer) => void = () => {},
): Promise<Answer> {
  for (let tries = 1; ; tries++) {
    const answer = await ask(url, call);
    onAnswer(answer);
    const { code, outcome } = answer.extensions;
    const isRefused = code === 'OVERLOADED' && outcome === 'NOT_SENT';
    // The key of a refused try is free once Redis replies. The next try waits for that, and is UNKNOWN if Redis falls silent.
    const isHeld = tries > 1 && code === 'UPSTREAM_TIMEOUT' && outcome === 'UNKNOWN';
    if (!(isRefused || isHeld) || tries === MAX_TRIES) return answer;
    // A gateway connects to Redis again after 0.25 s.
    await sleep(250);
  }
}

/** Sends one write to a gateway. */
export function ask(url: string, { field, id, mark, key, token }: Call): Promise<Answer> {
  const variables = {
    input: { description: mark },
    ...(id && { id }),
    ...(key !== undefined && { key }),
  };
  return send(url, { query: documents[field], variables }, token);
}

/** Sends an operation of one root field to a gateway. */
async function send(url: string, body: object, token?: string): Promise<Answer> {
  const from = performance.now();
  const response = await fetch(`${url}/graphql`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
    },
    body: JSON.stringify(body),
  });
  const text = await response.text();
  const { data, errors } = JSON.parse(text) as Body;
  const extensions = errors?.[0]?.extensions;
  const study = Object.values(data ?? {})[0] ?? null;
  return {
    word: extensions ? extensions.outcome : 'study',
    study,
    extensions: extensions ?? {},
    requestId: response.headers.get('x-request-id'),
    token: token ?? '',
    text,
    ms: performance.now() - from,
  };
}
