import { expect, it } from 'vitest';
import { createStudySchema } from '../../src/emulator/study.schema.js';
import { assumptions } from '../../src/probe/assumptions.js';
import { startTestEmulator } from '../support/emulator.js';
import { wholeStudy } from '../support/studies.js';
import { startFastApi, studies } from './fastapi.fixture.js';
import { runProbe } from './probe.fixture.js';

const readable = assumptions.filter(({ access }) => access === 'reads').map(({ id }) => id);
const writing = assumptions.filter(({ access }) => access === 'writes').map(({ id }) => id);

function without(ids: readonly string[], ...others: readonly string[]): string[] {
  return ids.filter((id) => !others.includes(id));
}

it('confirms of a server like FastAPI with fastapi-pagination all that a read can show', async () => {
  const { url } = await startFastApi();

  const { exit, ids } = await runProbe(`${url}/api/v1/`);

  expect(exit).toBe(0);
  expect(ids('UNKNOWN')).toEqual(['http.retry-after']);
  expect(ids('CONFIRMED')).toEqual(without(readable, 'http.retry-after'));
  expect(ids('NOT PROBED')).toEqual(writing);
});

it('confirms of the emulator all that its OpenAPI promises and a read can show', async () => {
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
  // The emulator has no plans.
  expect(finding('field.planId')?.evidence).toBe('null in 3 of 3');
  expect(ids('UNKNOWN')).toEqual(['http.retry-after', 'field.planId']);
  expect(ids('CONFIRMED')).toEqual(without(readable, 'http.retry-after', 'field.planId'));
});

it('says of a fresh emulator that no study was read', async () => {
  const { url, token } = await startTestEmulator();

  const { exit, finding } = await runProbe(url, [], { STUDY_API_TOKEN: token });

  expect(exit).toBe(0);
  expect(finding('field.status')).toMatchObject({
    verdict: 'UNKNOWN',
    evidence: 'no study was read',
  });
});

it('names fields beyond the 23, each with its type', async () => {
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

it('reads the studies that --study names', async () => {
  const { url, calls } = await startFastApi();
  const ids = [studies[2]!['id'], studies[0]!['id']].map(String);

  const { finding } = await runProbe(
    url,
    ids.flatMap((id) => ['--study', id]),
  );

  expect(finding('field.status')?.evidence).toBe('2 of 2');
  const read = calls.map((call) => call.url).filter((path) => ids.some((id) => path.endsWith(id)));
  // The last two are without a token and with a wrong one.
  expect(read).toEqual([...ids, ids[0], ids[0]].map((id) => `/studies/${id}`));
});

it('takes a 404 of --study for an id that may be wrong', async () => {
  const { url } = await startFastApi((answer, { path }) =>
    path === '/studies' ? { status: 404, body: { detail: 'Not Found' } } : answer,
  );

  const { ids, finding } = await runProbe(url, ['--study', '33333333-3333-4333-8333-333333333333']);

  expect(ids('REFUTED')).toEqual(['list.exists']);
  expect(finding('read.exists')).toMatchObject({ verdict: 'UNKNOWN', evidence: '404' });
});

it('knows nothing of a list that the token may not see, and goes on', async () => {
  const { url } = await startFastApi((answer, { path }) =>
    path === '/studies' ? { status: 403, body: { detail: 'Forbidden' } } : answer,
  );

  const { exit, finding } = await runProbe(url, ['--study', String(studies[0]!['id'])]);

  expect(exit).toBe(0);
  expect(finding('list.exists')).toMatchObject({ verdict: 'UNKNOWN', evidence: '403' });
  expect(finding('list.page')).toMatchObject({ verdict: 'UNKNOWN', evidence: '403' });
  expect(finding('read.exists')?.verdict).toBe('CONFIRMED');
});
