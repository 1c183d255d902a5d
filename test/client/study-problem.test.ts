import { randomUUID } from 'node:crypto';
import { print, type DocumentNode } from 'graphql';
import { expect, it } from 'vitest';
import {
  CreateStudyDocument,
  StudyDocument,
  studyProblem,
  type StudyProblem,
} from 'study-gateway-client';
import { scenarios } from 'study-gateway-emulator';
import { bearer, startTestEmulator } from '../support/emulator.js';
import { startTestGateway } from '../support/gateway.js';

/** Starts a gateway in front of an emulator. */
async function startScenarios(token: string) {
  const emulator = await startTestEmulator();
  const gateway = await startTestGateway({ studyApiUrl: emulator.url, deadlineMs: 500 });
  /** A study of the token's own, where its scenario lets it have one. */
  const createStudy = async (): Promise<string> => {
    const { body } = await emulator.call('POST', '/studies', {}, bearer(token || 'none'));
    const { id } = body as { id?: string };
    return id ?? randomUUID();
  };
  return {
    createStudy,
    ask: (document: DocumentNode, variables: object) =>
      gateway.graphql(print(document), variables, token ? bearer(token) : { authorization: '' }),
  };
}

const uuid = expect.stringMatching(/^[0-9a-f-]{36}$/);

function toWhole(facts: Pick<StudyProblem, 'kind' | 'code' | 'outcome'> & Partial<StudyProblem>) {
  return {
    message: expect.stringMatching(/\.$/),
    retryable: false,
    fieldErrors: [],
    upstreamMessage: undefined,
    retryAfterSeconds: undefined,
    requestId: uuid,
    studyId: undefined,
    ...facts,
  };
}

const notSent = { kind: 'notSent', outcome: 'NOT_SENT' } as const;
const rejected = { kind: 'rejected', outcome: 'REJECTED' } as const;
const unknown = { kind: 'unknown', outcome: 'UNKNOWN' } as const;
const applied = { kind: 'applied', outcome: 'APPLIED', studyId: uuid } as const;
const readFailed = { kind: 'readFailed', outcome: undefined } as const;
const fieldError = { message: expect.stringContaining('refuses every value') };

const writes = [
  { token: '', ...notSent, code: 'UNAUTHENTICATED' },
  {
    token: 'demo-401',
    ...rejected,
    code: 'UNAUTHENTICATED',
    upstreamMessage: 'Invalid token',
  },
  {
    token: 'demo-403',
    ...rejected,
    code: 'FORBIDDEN',
    upstreamMessage: 'Not enough permissions',
  },
  { token: 'demo-404', ...rejected, code: 'NOT_FOUND', upstreamMessage: 'Study not found' },
  {
    token: 'demo-409',
    ...rejected,
    code: 'CONFLICT',
    upstreamMessage: 'The study was changed by somebody else',
  },
  {
    token: 'demo-422',
    ...rejected,
    code: 'BAD_USER_INPUT',
    fieldErrors: [{ path: ['input', 'projectId'], ...fieldError }],
  },
  {
    token: 'demo-429',
    ...rejected,
    code: 'RATE_LIMITED',
    retryable: true,
    retryAfterSeconds: 7,
    upstreamMessage: 'Too many requests',
  },
  { token: 'demo-500', ...unknown, code: 'UPSTREAM_ERROR' },
  { token: 'demo-503', ...unknown, code: 'UPSTREAM_ERROR' },
  { token: 'demo-hang', ...unknown, code: 'UPSTREAM_TIMEOUT' },
  { token: 'demo-cut', ...unknown, code: 'UPSTREAM_UNAVAILABLE' },
  { token: 'demo-drift-missing', ...applied, code: 'UPSTREAM_CONTRACT' },
  { token: 'demo-drift-strategy', ...applied, code: 'UPSTREAM_CONTRACT' },
] as const;

it.for(writes)(
  'tells of a create with the token "$token" what became of it',
  async ({ token, ...facts }) => {
    const { ask } = await startScenarios(token);

    const result = await ask(CreateStudyDocument, { input: { description: 'Why?' } });

    expect(studyProblem(result)).toEqual(toWhole(facts));
  },
);

it('is shown every scenario of the emulator that fails', () => {
  expect(writes.map(({ token }) => token).filter(Boolean)).toEqual(
    scenarios.map(({ token }) => token).filter((token) => token !== 'demo-running'),
  );
});

const reads = [
  { token: '', ...notSent, code: 'UNAUTHENTICATED' },
  {
    token: 'demo-422',
    ...readFailed,
    code: 'BAD_USER_INPUT',
    fieldErrors: [{ path: ['id'], ...fieldError }],
  },
  { token: 'demo-500', ...readFailed, code: 'UPSTREAM_ERROR', retryable: true },
  { token: 'demo-drift-missing', ...readFailed, code: 'UPSTREAM_CONTRACT' },
] as const;

it.for(reads)(
  'tells of a read with the token "$token" that it failed',
  async ({ token, ...facts }) => {
    const { ask, createStudy } = await startScenarios(token);

    const result = await ask(StudyDocument, { id: await createStudy() });

    expect(studyProblem(result)).toEqual(toWhole(facts));
  },
);

it('says that a key was used before with other arguments', async () => {
  const { graphql } = await startTestGateway();
  const idempotencyKey = randomUUID();
  await graphql(CreateStudyDocument, { input: { description: 'One' }, idempotencyKey });

  const result = await graphql(CreateStudyDocument, { input: {}, idempotencyKey });

  const reason = 'IDEMPOTENCY_KEY_REUSED';
  expect(studyProblem(result)).toMatchObject({ ...notSent, code: 'BAD_USER_INPUT', reason });
});
