import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { CreateStudyDocument, EditStudyDocument, StudyDocument } from 'study-gateway-client';
import {
  createDirectory,
  runOperation,
  startProgram,
  startReadyProgram,
  takePort,
} from '../support/process.js';
import { answerJson, startStudyApi } from '../support/study-api.js';
import { wholeStudy } from '../support/studies.js';

const uuid = expect.stringMatching(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);

/** An input with all sixteen fields of the create request in the Study API's document. */
const input = {
  description: 'Why do people leave?',
  projectId: '123e4567-e89b-12d3-a456-426614174000',
  createdAt: '2026-03-01T09:30:00.123456+01:00',
  bookmarked: true,
  language: 'pt-BR',
  audiences: ['People who left'],
  problems: ['It takes too long'],
  files: ['interview.pdf'],
  progress: { total: 12, completed: 3, failed: 1 },
  status: 'running',
  solutionId: '3f2b8c1e-7a41-4b5e-8a57-6d0d6a6f1c22',
  researchGoalId: '9c5e2d77-1b1c-4d3f-9f0a-5a4e7b8c9d33',
  knowledgeGraphs: ['graph-1'],
  strategy: 'concept_study',
  interviewCount: 12,
  interviews: ['interview-1'],
};

it('prints the endpoint, the explorer and the Study API', async () => {
  const { url, banner } = await startReadyProgram();

  expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
  expect(banner).toContain(`\n  Explorer   ${url}/explorer\n`);
  expect(banner).toMatch(/\n {2}Study API {2}http:\S+ {2}the emulator; its token is demo-token$/);
});

it('creates a study with all sixteen fields, edits it, and reads it back from .data/emulator.sqlite after a restart', async () => {
  const options = { cwd: createDirectory(), env: { EMULATOR_DB: '' } };
  const { url, kill, exit } = await startReadyProgram(options);
  const study = {
    ...input,
    id: uuid,
    audiencesObj: [{ name: 'People who left' }],
    problemsObj: [{ name: 'It takes too long' }],
    planId: null,
    solution: { id: input.solutionId },
    researchGoal: { id: input.researchGoalId },
    summaries: [],
  };

  const created = await runOperation(url, CreateStudyDocument, { input });
  const id = created.data?.createStudy?.id ?? '';
  const edit = { description: null, audiences: ['New people'], progress: { completed: 4 } };
  const edited = await runOperation(url, EditStudyDocument, { id, input: edit });
  kill('SIGTERM');
  await exit;
  const second = await startReadyProgram(options);
  const read = await runOperation(second.url, StudyDocument, { id });

  expect(created).toEqual({ data: { createStudy: study } });
  const editedStudy = {
    ...study,
    id,
    description: null,
    audiences: ['New people'],
    audiencesObj: [{ name: 'New people' }],
    progress: { total: 12, completed: 4, failed: 1 },
  };
  expect(edited).toEqual({ data: { editStudy: editedStudy } });
  expect(read).toEqual({ data: { study: editedStudy } });
  expect(existsSync(join(options.cwd, '.data/emulator.sqlite'))).toBe(true);
});

it('talks to the Study API of STUDY_API_URL and starts no emulator', async () => {
  const studyApi = await startStudyApi(answerJson(wholeStudy));
  const STUDY_API_URL = `${studyApi.url}/api/v1`;
  // The port is taken, so the program would fail if it started an emulator.
  const EMULATOR_PORT = String(await takePort());

  const { url, banner } = await startReadyProgram({ env: { STUDY_API_URL, EMULATOR_PORT } });

  expect(banner).toMatch(new RegExp(`\\n {2}Study API {2}${STUDY_API_URL}$`));
  expect(await runOperation(url, CreateStudyDocument, { input })).toEqual({
    data: { createStudy: wholeStudy },
  });
  expect(studyApi.calls).toMatchObject([{ method: 'POST', url: '/api/v1/studies' }]);
});

it('starts only the emulator with the argument "emulator"', async () => {
  // The port is taken, so the program would fail if it started a gateway.
  const PORT = String(await takePort());

  const { printed } = startProgram({ args: ['emulator'], env: { PORT } });

  const [, url, token] = await printed(/emulator is ready at (\S+), its token is (\S+)\.\n/);
  const response = await fetch(`${url}/studies`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
    body: JSON.stringify(input),
  });
  expect(response.ok).toBe(true);
  expect(await response.json()).toMatchObject({ ...input, id: uuid });
});

it('in production logs JSON, a line for each operation before it ends, and serves neither Sandbox nor introspection', async () => {
  const studyApi = await startStudyApi(answerJson(wholeStudy));
  const { printed, kill, exit } = startProgram({
    env: { NODE_ENV: 'production', STUDY_API_URL: studyApi.url },
  });
  const [, url = ''] = await printed(/(http:\/\/127\.0\.0\.1:\d+)"}\n/);

  const page = await fetch(`${url}/graphql`, { headers: { accept: 'text/html,*/*' } });
  const introspection = await fetch(`${url}/graphql?query={__schema{types{name}}}`, {
    headers: { authorization: 'Bearer demo-token' },
  });
  const create = () => runOperation(url, CreateStudyDocument, { input });
  const answers = await Promise.all(Array.from({ length: 200 }, create));
  kill('SIGTERM');
  const { stdout, ...end } = await exit;

  expect(page.status).toBe(400);
  expect(page.headers.get('content-type')).toMatch(/^application\/json/);
  expect(await introspection.json()).toMatchObject({
    errors: [{ extensions: { validationErrorCode: 'INTROSPECTION_DISABLED' } }],
  });
  expect(answers).toEqual(answers.map(() => ({ data: { createStudy: wholeStudy } })));
  expect(end).toEqual({ code: 0, signal: null, stderr: '' });
  const lines = stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as { level: number; msg: string });
  expect(lines.filter(({ msg }) => msg === 'operation')).toHaveLength(201);
  expect(lines.filter(({ level }) => level !== 30)).toEqual([
    expect.objectContaining({ msg: expect.stringContaining('idempotency keys are in memory') }),
  ]);
});
