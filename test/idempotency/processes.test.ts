// @module-tag redis

import { expect, it, vi } from 'vitest';
import { startHoldingApi } from '../support/held-calls.js';
import { startLedger } from '../support/ledger.js';
import { toPostInit } from '../support/post.js';
import { startReadyProgram, type ReadyProgram } from '../support/process.js';
import { wholeStudy } from '../support/studies.js';
import { createStudy, newKey, toRunKeyed, useRedis, type RunKeyed } from '../support/keyed.js';

vi.setConfig({ testTimeout: 20_000 });

const redis = useRedis();

interface Gateway extends ReadyProgram {
  readonly runKeyed: RunKeyed;
}

/** Starts two processes of the built gateway. */
async function startTwo(
  studyApiUrl: string,
  env: Record<string, string> = {},
): Promise<[Gateway, Gateway]> {
  const start = async (): Promise<Gateway> => {
    const program = await startReadyProgram({
      env: { STUDY_API_URL: studyApiUrl, REDIS_URL: redis.server.url.href, ...env },
    });
    const runKeyed = toRunKeyed({
      post: (body, headers) => fetch(`${program.url}/graphql`, toPostInit(body, headers)),
    });
    return { ...program, runKeyed };
  };
  return Promise.all([start(), start()]);
}

it('makes one study for 200 concurrent calls with one key to two processes, and keeps its key when one process is killed', async () => {
  const { url, arrived, count } = await startLedger({});
  const [one, two] = await startTwo(url);
  const key = newKey();

  const answers = await Promise.all(
    Array.from({ length: 200 }, (_, index) => (index % 2 ? one : two).runKeyed(createStudy, key)),
  );

  expect(answers[0]).toMatchObject({ data: { createStudy: { description: 'Why?' } } });
  expect(answers).toEqual(Array(200).fill(answers[0]));
  one.child.kill('SIGKILL');
  await one.exit;
  expect(await two.runKeyed(createStudy, key)).toEqual(answers[0]);
  expect(arrived.filter((request) => request.startsWith('POST'))).toEqual(['POST /studies']);
  expect(count('Why?')).toBe(1);
});

it('stores in Redis how the last call ended before it stops', async () => {
  const api = await startHoldingApi();
  const [one, two] = await startTwo(api.url);
  const key = newKey();
  const first = one.runKeyed(createStudy, key);
  await api.holds(1);

  one.kill('SIGTERM');
  await one.printed(/"msg":"stopping"/);
  api.answerNext();

  const aStudy = { data: { createStudy: expect.objectContaining({ id: wholeStudy.id }) } };
  expect(await first).toEqual(aStudy);
  expect(await one.exit).toMatchObject({ code: 0, stderr: '' });
  const repeat = two.runKeyed(createStudy, key);
  await api.holds(1);
  api.answerNext();
  expect(await repeat).toEqual(aStudy);
  expect(api.arrived).toEqual(['POST /studies', `GET /studies/${wholeStudy.id}`]);
});
