import { describe, expect, it } from 'vitest';
import { cut, toHead } from '../support/faults.js';
import { startTestGateway } from '../support/gateway.js';
import { createLateApi } from '../support/retries.js';
import { answerJson, type Respond } from '../support/study-api.js';
import { wholeStudy } from '../support/studies.js';
import {
  createStudy,
  newKey,
  toExtensions,
  toRunKeyed,
  withVariables,
  writes,
  type Told,
} from '../support/keyed.js';

const { id } = wholeStudy;
const renewed = { authorization: 'Bearer renewed-token' };

/** What is told of the first write, of a repeat by another token and of one by the same token, and all calls. */
type Row = readonly [ending: string, first: Respond, told: readonly string[], calls: string];

const afterId = toHead('200 OK', ['content-length: 99'], `{"id":"${id}",`);

/** The rule of docs/idempotency.md, with keys in memory: test/judges/keys has all endings, with keys in Redis. */
const rows: readonly Row[] = [
  ['422', answerJson({}, 422), ['REJECTED', 'a study', 'a study'], 'write, write, read'],
  ['a study', answerJson(wholeStudy), ['a study', 'a study', 'a study'], 'write, read, read'],
  [
    'a cut after its id',
    cut(afterId, 'FIN'),
    ['APPLIED', 'a study', 'a study'],
    'write, read, read',
  ],
  [
    '204',
    (response) => void response.writeHead(204).end(),
    ['APPLIED', 'UNKNOWN', 'APPLIED'],
    'write',
  ],
  ['{}', answerJson({}), ['UNKNOWN', 'UNKNOWN', 'UNKNOWN'], 'write'],
  ['a lost connection', cut('', 'RST'), ['UNKNOWN', 'UNKNOWN', 'UNKNOWN'], 'write'],
  ['no answer in time', () => {}, ['UNKNOWN', 'UNKNOWN', 'UNKNOWN'], 'write'],
];

function toWord(told: Told): unknown {
  const { outcome = 'a study', reason } = toExtensions(told) ?? {};
  return reason ?? outcome;
}

/** Starts a gateway whose Study API answers the first write as `first` does, later ones and reads as `others` does. */
async function start(first: Respond, others = answerJson(wholeStudy)) {
  let isFirst = true;
  const gateway = await startTestGateway({
    deadlineMs: 400,
    api: (...call) => {
      const respond = isFirst ? first : others;
      isFirst = false;
      respond(...call);
    },
  });
  const toCalls = () =>
    gateway.calls.map(({ method }) => (method === 'GET' ? 'read' : 'write')).join(', ');
  return { run: toRunKeyed(gateway), toCalls };
}

describe.each(writes)('$field', (operation) => {
  it.each(rows)('is repeated as the rule says after %s', async (_, first, told, calls) => {
    const { run, toCalls } = await start(first);
    const key = newKey();
    const ask = async (headers?: Record<string, string>) =>
      toWord(await run(operation, key, headers));
    const other = withVariables(operation, { input: { description: 'Else' } });

    expect([await ask(), await ask(renewed), await ask()]).toEqual(told);
    for (const headers of [undefined, renewed])
      expect(toWord(await run(other, key, headers))).toBe('IDEMPOTENCY_KEY_REUSED');
    expect(toCalls()).toBe(calls);
  });

  it('is APPLIED with the id to the same token, and UNKNOWN to another one, that cannot read the study', async () => {
    const { run, toCalls } = await start(answerJson(wholeStudy), answerJson({}, 404));
    const key = newKey();
    await run(operation, key);

    const own = await run(operation, key);
    const other = await run(operation, key, { ...renewed, 'x-study-explain': '1' });

    expect(toExtensions(own)).toMatchObject({ outcome: 'APPLIED', retryable: false, studyId: id });
    expect(toExtensions(other)).toMatchObject({ outcome: 'UNKNOWN', retryable: false });
    // The read of the study is not explained, as it failed: its path names the study.
    const [method] = operation.request.split(' ');
    expect(other.extensions).toMatchObject({ explain: [{ method, attempts: 0 }] });
    // Whoever edits a study names its id.
    const secret = operation.field === 'createStudy' ? id : 'test-token';
    expect(JSON.stringify(other)).not.toContain(secret);
    expect(toCalls()).toBe('write, read, read');
  });
});

it('sends a repeat after a refused connection', async () => {
  const api = await createLateApi();
  const run = toRunKeyed(await startTestGateway({ studyApiUrl: api.url }));
  const key = newKey();

  const original = await run(createStudy, key);
  api.start();

  expect([toWord(original), toWord(await run(createStudy, key))]).toEqual(['NOT_SENT', 'a study']);
  expect(api.arrived).toHaveLength(1);
});
