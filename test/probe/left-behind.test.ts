import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readContract } from 'study-gateway-contract';
import { expect, it } from 'vitest';
import { createDirectory, startProgram } from '../support/process.js';
import { token } from './fastapi.fixture.js';
import { project, runWriting } from './probe.fixture.js';
import { startStoring, type WriteLie } from './storing.fixture.js';

it('lists each study that it has made, by id, and keeps the list for the owner alone', async () => {
  const { url, studies } = await startStoring();

  const { report, journal } = await runWriting(url);

  const ids = report.leftBehind.map(({ id }) => id);
  expect(ids).toEqual([...studies.keys()]);
  expect(statSync(journal).mode & 0o777).toBe(0o600);
  expect(readFileSync(journal, 'utf8')).not.toContain(token);
  for (const { description } of studies.values())
    expect(description).toMatch(/^study-gateway-probe [\da-f]{8}: made to test this API/);
});

it('sends no status unless it may', async () => {
  const { url, calls } = await startStoring();

  await runWriting(url);
  expect(calls.filter(({ body }) => body.includes('"status"'))).toEqual([]);

  await runWriting(url, ['--status', 'archived']);
  expect(calls.filter(({ body }) => body.includes('"status":"archived"')).length).toBeGreaterThan(
    0,
  );
});

it('sends a create without an answer once, and finds its study in the list', async () => {
  const { url, studies, calls } = await startStoring(loseCreate);

  const { exit, report } = await runWriting(url);

  expect(exit).toBe(2);
  expect(calls.filter(isCreate)).toHaveLength(1);
  expect(report.leftBehind.map(({ id }) => id)).toEqual([...studies.keys()]);
});

it('says that a study may exist after a create without an answer, if there is no list', async () => {
  const { url, studies, calls } = await startStoring(loseCreate, { canRead: false });

  const { exit, report } = await runWriting(url);

  expect(exit).toBe(2);
  expect(calls.filter(isCreate)).toHaveLength(1);
  const [study] = studies.values();
  expect(report.leftBehind).toEqual([{ id: null, api: `${url}/`, marker: study!['description'] }]);
});

/** Stores the first whole create, and ends the connection. */
const loseCreate: WriteLie = (answer, { method, response }) => {
  if (method !== 'POST' || answer.status !== 200) return answer;
  response.destroy();
  return undefined;
};

function isCreate({ method, body }: { readonly method: string; readonly body: string }): boolean {
  return method === 'POST' && body.includes(project) && !body.includes('"x"');
}

const WRITES = 21;

it(
  'knows what was left behind after a kill at any of its writes',
  { timeout: 90_000 },
  async () => {
    const journal = join(createDirectory(), 'journal');
    const args = ['probe', '--write', '--project', project, '--journal', journal];
    const made = new Map<string, unknown>();
    const killAt = async (last: number): Promise<unknown> => {
      let writes = 0;
      let end = (): void => {};
      const { url, studies } = await startStoring((answer, { method }) => {
        writes += method === 'GET' ? 0 : 1;
        if (writes < last) return answer;
        end();
        return undefined;
      });
      const program = startProgram({ args, env: { STUDY_API_URL: url, STUDY_API_TOKEN: token } });
      end = () => program.kill('SIGKILL');
      const { code } = await program.exit;
      for (const [id, { description }] of studies) made.set(id, description);
      return code;
    };

    const codes: unknown[] = [];
    for (let last = 1; last <= WRITES; last += 2)
      codes.push(...(await Promise.all([0, 1].map((more) => killAt(last + more)))));

    // No write follows the last one.
    expect(codes).toEqual([...Array(WRITES).fill(null), 0]);
    const stopping = await startStoring(() => ({ status: 429, body: {} }));
    const { notes, report } = await runWriting(stopping.url, [], { journal });
    const known = report.leftBehind.map(({ id, marker }) => id ?? marker);
    expect(
      [...made].filter(([id, marker]) => !known.includes(id) && !known.includes(String(marker))),
    ).toEqual([]);
    for (const one of known) expect(notes).toContain(one);
  },
);

it('refuses a journal that it cannot write', async () => {
  const { url, calls } = await startStoring();
  const program = startProgram({
    args: ['probe', '--write', '--project', project, '--journal', '/nowhere/journal'],
    env: { STUDY_API_URL: url, STUDY_API_TOKEN: token },
  });

  const { code, stderr } = await program.exit;

  expect(code).toBe(2);
  expect(stderr).toMatch(/^The probe cannot run\.\nENOENT/);
  expect(calls).toEqual([]);
});

it('saves the contract that the API keeps, with which a check passes until the API moves', async () => {
  let hasMoved = false;
  const lie: WriteLie = (answer) => {
    if (answer.status !== 200) return answer;
    const { planId, ...study } = answer.body as Record<string, unknown>;
    return { ...answer, body: { ...study, [hasMoved ? 'plan' : 'plan_id']: planId } };
  };
  const { url } = await startStoring(lie, { canRead: false });
  const file = join(createDirectory(), 'contract.json');

  const saved = await runWriting(url, ['--save', file]);
  const contract = readContract(file);
  const checked = await runWriting(url, ['--check', file]);
  hasMoved = true;
  const moved = await runWriting(url, ['--check', file]);

  expect(saved.exit).toBe(1);
  expect(contract.answer.names).toEqual({ planId: 'plan_id' });
  expect(checked.exit).toBe(0);
  expect(moved.exit).toBe(1);
  expect(moved.statement('field.planId')).toMatchObject({ is: 'settle', seen: 'it may be `plan`' });
});

it('overwrites no file with --save', async () => {
  const { url } = await startStoring();
  const file = join(createDirectory(), 'contract.json');
  writeFileSync(file, 'settled');
  const program = startProgram({
    args: ['probe', '--save', file],
    env: { STUDY_API_URL: url, STUDY_API_TOKEN: token },
  });

  const { code, stderr } = await program.exit;

  expect(code).toBe(2);
  expect(stderr).toMatch(/^The probe cannot run\.\nEEXIST/);
  expect(readFileSync(file, 'utf8')).toBe('settled');
});
