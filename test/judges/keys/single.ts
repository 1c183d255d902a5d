import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { ask, askPatiently, type Answer, type Call } from './ask.js';
import { findLies, type Ending, type Ledger } from './study-api.js';
import { tokens } from './trial.js';
import type { Process, World } from './world.fixture.js';

/** One key whose calls a test makes itself, also at once. */
export interface Single {
  readonly key: string;
  readonly mark: string;
  readonly id: string | undefined;
  /** Makes a call with the key; with `null` without a token. `other` changes the call. */
  readonly ask: (process: Process, token?: string | null, other?: Partial<Call>) => Promise<Answer>;
  /** Makes a call with the key, and does not repeat it if Redis cannot be reached. */
  readonly askOnce: (process: Process) => Promise<Answer>;
  readonly ledger: (least?: { arrived?: number; carried?: number }) => Promise<Ledger>;
  readonly release: () => void;
}

/** Prepares a key whose calls end as given, in order. */
export function createSingle(
  { api }: World,
  field: Call['field'],
  ...endings: readonly Ending[]
): Single {
  const mark = `mark ${randomUUID()}`;
  const key = randomUUID();
  const id = field === 'editStudy' ? api.create(tokens.same) : undefined;
  api.end(mark, ...endings);
  const call = { field, mark, key, ...(id && { id }) };
  return {
    key,
    mark,
    id,
    ask: ({ url }, token = tokens.same, other = {}) =>
      askPatiently(url, { ...call, ...(token !== null && { token }), ...other }),
    askOnce: ({ url }) => ask(url, { ...call, token: tokens.same }),
    ledger: (least) => api.ledger(mark, least),
    release: () => api.release(mark),
  };
}

/** What an answer says, in short. */
export function toWord({ word, study, extensions }: Answer): string {
  const reason = extensions.reason === 'IDEMPOTENCY_KEY_REUSED' ? ', key reused' : '';
  return `${word}${study || extensions.studyId ? ' with id' : ''}${reason}`;
}

/** Numbers of a ledger: calls that arrived, calls that were carried out, reads. */
export function count({ writes, reads }: Ledger): string {
  const carried = writes.filter((write) => write.carried).length;
  return `${writes.length} arrived, ${carried} carried out, ${reads.length} read`;
}

/** Fails if an answer says what the ledger denies, or shows a study to somebody else. */
export async function expectTrue(
  { ledger, id }: Single,
  answers: readonly Answer[],
): Promise<void> {
  const { writes } = await ledger();
  expect(writes.filter((write) => write.carried).length).toBeLessThanOrEqual(1);
  expect(answers.flatMap((answer) => findLies(answer, writes, id))).toEqual([]);
}
