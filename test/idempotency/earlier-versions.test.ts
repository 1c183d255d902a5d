// @module-tag redis

import { hash, randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { startTestGateway } from '../support/gateway.js';
import { useRedis } from '../support/keyed.js';
import { answerJson, type Respond } from '../support/study-api.js';

/** A key in Redis, as the packed gateway of version 0.2.0 wrote it. */
interface Kept {
  readonly name: string;
  readonly hash: Readonly<Record<'fingerprint' | 'owner' | 'leaseUntil' | 'record', string>>;
}

const kept = JSON.parse(
  readFileSync(new URL('kept-by-0.2.0.json', import.meta.url), 'utf8'),
) as Readonly<Record<string, Kept>>;

const redis = useRedis();

const DEADLINE_MS = 500;
const study = {
  id: '3f2b8f6e-9a1c-4f1e-8a55-0123456789ab',
  description: 'Why?',
  createdAt: '2026-01-01T00:00:00.123456+02:00',
};
const input = { description: 'Why?' };
const create = `mutation ($input: CreateStudyInput!, $key: String) {
  written: createStudy(input: $input, idempotencyKey: $key) { id description createdAt }
}`;
const edit = `mutation ($input: EditStudyInput!, $key: String) {
  written: editStudy(id: "${study.id}", input: $input, idempotencyKey: $key) { id description createdAt }
}`;
const refusal = {
  detail: [{ loc: ['body', 'description'], msg: 'Too short', type: 'value_error' }],
};

interface Case {
  /** Key, and name of the case in the file. */
  readonly key: string;
  readonly document: string;
  readonly api: Respond;
  /** Code and outcome; `undefined` when the write returns the study. */
  readonly told?: object;
}

/** Name of a key as version 0.2.0 makes it, from the hash of the token. */
function toName(key: string, { document }: Case): string {
  const token = hash('sha256', 'test-token', 'base64url');
  const scope = document === create ? 'createStudy' : 'editStudy';
  const id = hash('sha256', JSON.stringify([token, scope, key]), 'base64url');
  return `study-gateway:idempotency:${id}`;
}

const cases: readonly Case[] = [
  { key: 'applied-create', document: create, api: answerJson(study, 201) },
  { key: 'applied-edit', document: edit, api: answerJson(study) },
  {
    key: 'applied-without-answer',
    document: create,
    api: (response) => response.writeHead(204).end(),
    told: { code: 'UPSTREAM_CONTRACT', outcome: 'APPLIED', upstreamStatus: 204 },
  },
  {
    key: 'rejected',
    document: edit,
    api: answerJson(refusal, 422),
    told: {
      code: 'BAD_USER_INPUT',
      outcome: 'REJECTED',
      fieldErrors: [{ path: ['input', 'description'], message: 'Too short' }],
      upstreamStatus: 422,
    },
  },
  {
    key: 'unknown-status',
    document: create,
    api: answerJson({}, 503, { 'retry-after': '7' }),
    told: {
      code: 'UPSTREAM_ERROR',
      outcome: 'UNKNOWN',
      retryAfterSeconds: 7,
      upstreamStatus: 503,
    },
  },
  {
    key: 'unknown-connection',
    document: edit,
    api: (response) => response.destroy(),
    told: { code: 'UPSTREAM_UNAVAILABLE', outcome: 'UNKNOWN' },
  },
  {
    key: 'unknown-deadline',
    document: create,
    api: () => {},
    told: { code: 'UPSTREAM_TIMEOUT', outcome: 'UNKNOWN' },
  },
];

/** Runs a write with its key at a gateway of this version. */
async function write({ document }: Case, api: Respond, key: string) {
  const options = { api, deadlineMs: DEADLINE_MS, redisUrl: redis.server.url };
  const gateway = await startTestGateway(options);
  const { data, errors } = await gateway.graphql(document, { input, key });
  return { data, told: errors?.[0]?.extensions, calls: gateway.calls.length };
}

function toExpected({ told }: Case, calls: number): object {
  if (!told) return { data: { written: study }, told: undefined, calls };
  const extensions = { retryable: false, requestId: expect.any(String), ...told };
  return { data: { written: null }, told: extensions, calls };
}

it.each(cases)(
  'answers the repeat of a key that version 0.2.0 has kept, and sends nothing: $key',
  async (case_) => {
    const { name, hash } = kept[case_.key]!;
    // This version takes UUIDs only.
    const key = randomUUID();
    await redis.server.command('FLUSHALL');
    await redis.server.command('HSET', toName(key, case_), ...Object.entries(hash).flat());

    const repeated = await write(case_, () => {}, key);

    expect(toName(case_.key, case_)).toBe(name);
    expect(repeated).toEqual(toExpected(case_, 0));
  },
);

it.each(cases)(
  'keeps a key in the form that version 0.2.0 writes and reads: $key',
  async (case_) => {
    const { hash } = kept[case_.key]!;
    const key = randomUUID();
    const name = toName(key, case_);
    await redis.server.command('FLUSHALL');

    const first = await write(case_, case_.api, key);

    expect(first).toEqual(toExpected(case_, 1));
    expect(await redis.server.command('KEYS', '*')).toContain(name);
    const names = ['fingerprint', 'owner', 'leaseUntil', 'record'];
    expect(await redis.server.command('HMGET', name, ...names)).toEqual([
      hash.fingerprint,
      expect.stringMatching(/^[\da-f-]{36}$/),
      expect.stringMatching(/^\d+$/),
      hash.record,
    ]);
  },
);
