import { expect, it } from 'vitest';
import { createStudySchema } from '../../packages/emulator/src/study.schema.js';
import { assumptions } from '../../src/probe/assumptions.js';
import { startTestEmulator } from '../support/emulator.js';
import { wholeStudy } from '../support/studies.js';
import { startFastApi, studies } from './fastapi.fixture.js';
import { runProbe } from './probe.fixture.js';

const readable = assumptions.filter(({ check }) => check).map(({ id }) => id);
const writing = assumptions.filter(({ check }) => !check).map(({ id }) => id);

function without(ids: readonly string[], ...others: readonly string[]): string[] {
  return ids.filter((id) => !others.includes(id));
}

it('confirms all assumptions that reads can check, except Retry-After, for an API like FastAPI', async () => {
  const { url } = await startFastApi();

  const { exit, ids } = await runProbe(`${url}/api/v1/`);

  expect(exit).toBe(0);
  expect(ids('UNKNOWN')).toEqual(['http.retry-after']);
  expect(ids('CONFIRMED')).toEqual(without(readable, 'http.retry-after'));
  expect(ids('NOT PROBED')).toEqual(writing);
});

it('confirms all assumptions that reads can check, except Retry-After and planId, for the emulator', async () => {
  const { url, token, create } = await startTestEmulator();
  const fields = Object.fromEntries(
    Object.entries(wholeStudy).filter(([name]) => name in createStudySchema.shape),
  );
  await create(fields);
  await create({ ...fields, projectId: '123e4567-e89b-12d3-a456-426614174001' });
  await create(fields);

  const startedAt = performance.now();
  const { exit, ids, finding } = await runProbe(url, [], { STUDY_API_TOKEN: token });

  expect(performance.now() - startedAt).toBeLessThan(30_000);
  expect(exit).toBe(0);
  // Every `planId` of the emulator is `null`.
  expect(finding('field.planId')?.evidence).toBe('null in 3 of 3');
  expect(ids('UNKNOWN')).toEqual(['http.retry-after', 'field.planId']);
  expect(ids('CONFIRMED')).toEqual(without(readable, 'http.retry-after', 'field.planId'));
});

it('reports fields as UNKNOWN for an emulator without studies', async () => {
  const { url, token } = await startTestEmulator();

  const { exit, finding } = await runProbe(url, [], { STUDY_API_TOKEN: token });

  expect(exit).toBe(0);
  expect(finding('field.status')).toMatchObject({
    verdict: 'UNKNOWN',
    evidence: 'no study was read',
  });
});

it('reports unknown fields as NEW, each with its type', async () => {
  const { url } = await startFastApi((answer, { path }) =>
    path.endsWith('0')
      ? { ...answer, body: { ...(answer.body as object), updatedAt: 'now', tags: [] } }
      : answer,
  );

  const { exit, report } = await runProbe(url);

  expect(exit).toBe(0);
  expect(report.findings.filter(({ verdict }) => verdict === 'NEW')).toEqual([
    expect.objectContaining({ claim: '`updatedAt`: a string', evidence: '1 of 3', requests: [7] }),
    expect.objectContaining({ claim: '`tags`: an array', evidence: '1 of 3', requests: [7] }),
  ]);
});

it('reads the studies given by --study', async () => {
  const { url, calls } = await startFastApi();
  const ids = [studies[2]!['id'], studies[0]!['id']].map(String);

  const { finding } = await runProbe(
    url,
    ids.flatMap((id) => ['--study', id]),
  );

  expect(finding('field.status')?.evidence).toBe('2 of 2');
  const read = calls.map((call) => call.url).filter((path) => ids.some((id) => path.endsWith(id)));
  // The last two requests have no token and a wrong token.
  expect(read).toEqual([...ids, ids[0], ids[0]].map((id) => `/studies/${id}`));
});

it('refutes nothing about reads when an id of --study gets a 404 and the list is unavailable', async () => {
  const { url } = await startFastApi((answer, { path }) =>
    path === '/studies' ? { status: 404, body: { detail: 'Not Found' } } : answer,
  );

  const { ids, finding } = await runProbe(url, ['--study', '33333333-3333-4333-8333-333333333333']);

  expect(ids('REFUTED')).toEqual(['list.exists']);
  expect(finding('read.exists')).toMatchObject({ verdict: 'UNKNOWN', evidence: '404' });
});

it('refutes nothing about reads when an id of --study is mistyped and the list shows other studies', async () => {
  const { url } = await startFastApi();

  const { exit, ids, finding } = await runProbe(`${url}/api/v1/`, [
    '--study',
    '33333333-3333-4333-8333-333333333333',
  ]);

  expect(exit).toBe(0);
  expect(ids('REFUTED')).toEqual([]);
  expect(finding('read.exists')).toMatchObject({ verdict: 'UNKNOWN', evidence: '404' });
});

it('confirms a strategy that is not documented, and a createdAt with any offset', async () => {
  const { url } = await startFastApi((answer, { path }) => {
    const change = { strategy: 'seventh_strategy', createdAt: '2026-12-31t23:59:60.5z' };
    return path.startsWith('/studies/') && answer.status === 200
      ? { ...answer, body: { ...(answer.body as object), ...change } }
      : answer;
  });

  const { exit, ids } = await runProbe(url);

  expect(exit).toBe(0);
  expect(ids('UNKNOWN')).toEqual(['http.retry-after']);
  expect(ids('CONFIRMED')).toEqual(without(readable, 'http.retry-after'));
});

it('reports the list as UNKNOWN when the token may not list, and continues', async () => {
  const { url } = await startFastApi((answer, { path }) =>
    path === '/studies' ? { status: 403, body: { detail: 'Forbidden' } } : answer,
  );

  const { exit, finding } = await runProbe(url, ['--study', String(studies[0]!['id'])]);

  expect(exit).toBe(0);
  expect(finding('list.exists')).toMatchObject({ verdict: 'UNKNOWN', evidence: '403' });
  expect(finding('list.page')).toMatchObject({ verdict: 'UNKNOWN', evidence: '403' });
  expect(finding('read.exists')?.verdict).toBe('CONFIRMED');
});
