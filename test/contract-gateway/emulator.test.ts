import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { readContract, type ContractFile } from 'study-gateway-contract';
import { startEmulator } from 'study-gateway-emulator';
import { startTestGateway } from '../support/gateway.js';
import { createDirectory, startProgram } from '../support/process.js';

const names = {
  id: 'uid',
  projectId: 'workspace',
  audiences: 'listeners',
  progress: 'meter',
  'progress.total': 'all',
  'progress.failed': 'lost',
  status: 'phase',
} as const;
const { id: _id, ...requestNames } = names;
const snake = { naming: 'snake_case' } as const;

/** The forms of `another-api.test.ts`, in front of the emulator. */
const forms: Readonly<Record<string, ContractFile>> = {
  'snake_case both ways': { request: snake, answer: snake },
  'snake_case in answers': { answer: snake },
  'foreign names': {
    request: { names: requestNames },
    answer: { names },
    operations: {
      studies: { items: '/content', parameters: { page: 'p', size: 'n' }, firstPage: 0 },
      editStudy: { path: '/studies/{id}/details' },
    },
  },
  'data around': {
    answer: { at: '/data' },
    operations: { studies: { items: '/data/items', projects: 'repeated' } },
  },
  'required and absent fields': {
    request: { required: { createStudy: ['projectId'] }, absent: { createStudy: ['bookmarked'] } },
    answer: { absent: ['planId'] },
  },
  verdicts: {
    answer: { at: '/data' },
    verdicts: {
      applied: [201],
      rejected: [400, 404],
      success: { '/ok': true },
      reason: '/error/text',
    },
  },
  keys: { keys: { header: 'Once-Key' } },
};

/** Saves a contract. Returns the path of its file. */
function save(contract: ContractFile): string {
  const file = join(createDirectory(), 'contract.json');
  writeFileSync(file, JSON.stringify(contract));
  return file;
}

/** Starts the gateway over the emulator, with one contract. */
async function start(file: ContractFile) {
  const contract = readContract(save(file));
  const emulator = await startEmulator({ contract });
  onTestFinished(() => emulator.close());
  const gateway = await startTestGateway({ contract, studyApiUrl: emulator.url });
  return async (query: string, variables = {}, token = emulator.token) => {
    const authorization = `Bearer ${token}`;
    const { data, errors } = await gateway.graphql(query, variables, {
      authorization,
    });
    return errors ? errors[0]?.extensions : data;
  };
}

const projectId = '6f1c2a34-0b9d-4e5f-8a7b-1c2d3e4f5a6b';
const input = {
  projectId,
  createdAt: '2026-03-01T09:30:00.123456+01:00',
  audiences: ['status'],
  progress: { total: 12, completed: 3, failed: 0 },
  status: 'draft',
};
const study =
  'id projectId createdAt audiences audiencesObj progress { total completed failed } status planId';
const create = `mutation ($input: CreateStudyInput!, $key: UUID) {
  createStudy(input: $input, idempotencyKey: $key) { ${study} }
}`;
const edit = `mutation ($id: UUID!, $input: EditStudyInput!) { editStudy(id: $id, input: $input) { ${study} } }`;
const read = `query ($id: UUID!) { study(id: $id) { ${study} } }`;
const list = `{ studies(page: 1, size: 10, projectId: ["${projectId}"]) { items { ${study} } page size total pages } }`;

it.each(Object.entries(forms))(
  'the gateway creates, edits, reads and lists over an emulator with its contract: %s',
  async (_, form) => {
    const ask = await start(form);

    const created = await ask(create, { input, key: '7d3c1f7e-8a53-4e0b-9a52-3d1f6c0a2b11' });
    const { id } = Object(Object(created).createStudy);
    const edited = await ask(edit, { id, input: { progress: { failed: 4 }, status: 'done' } });

    const first = {
      id: expect.any(String),
      ...input,
      audiencesObj: [{ name: 'status' }],
      planId: null,
    };
    const second = { ...first, id, progress: { ...input.progress, failed: 4 }, status: 'done' };
    expect(created).toEqual({ createStudy: first });
    expect(edited).toEqual({ editStudy: second });
    expect(await ask(read, { id })).toEqual({ study: second });
    expect(await ask(list)).toEqual({
      studies: { items: [second], page: 1, size: 10, total: 1, pages: 1 },
    });
    expect(await ask(read, { id: projectId })).toEqual({ study: null });
  },
);

it('a refusal of the emulator is a verdict of its contract, with the reason', async () => {
  const ask = await start(forms['verdicts']!);
  const invalid = { ...input, createdAt: '2026-03-01T09:30:00+01:00', strategy: 'none' };

  const refused = await ask(create, { input: invalid });
  const conflict = await ask(create, { input }, 'demo-409');

  expect(refused).toMatchObject({
    outcome: 'REJECTED',
    upstreamStatus: 201,
    upstreamMessage: expect.stringContaining('solution_feedback'),
    fieldErrors: [{ path: ['input', 'strategy'], message: expect.any(String) }],
  });
  expect(conflict).toMatchObject({
    outcome: 'REJECTED',
    upstreamMessage: 'The study was changed by somebody else',
  });
});

it('an operation that neither side has is refused unsent, and the others work', async () => {
  const ask = await start({ operations: { study: false, studies: false } });

  expect(await ask(read, { id: projectId })).toMatchObject({ code: 'BAD_REQUEST' });
  expect(await ask(list)).toMatchObject({ code: 'BAD_REQUEST' });
  expect(await ask(create, { input })).toMatchObject({ createStudy: { projectId } });
});

const foreignStudy = { description: 'Why?', workspace: projectId, meter: { all: 1 } };

it('STUDY_API_CONTRACT is kept by the gateway and by the emulator that it starts', async () => {
  const file = save(forms['foreign names']!);
  const { printed } = startProgram({ env: { STUDY_API_CONTRACT: file } });
  const [, url, emulator = ''] = await printed(
    /GraphQL +(\S+) [^]+Study API +(\S+?)\/? [^]+^curl/m,
  );
  const headers = { authorization: 'Bearer demo-token', 'content-type': 'application/json' };

  const body = JSON.stringify({ query: create, variables: { input } });
  const answer = await fetch(String(url), { method: 'POST', headers, body });
  const stored = await fetch(`${emulator}/studies`, { headers });

  expect(await answer.json()).toMatchObject({ data: { createStudy: { projectId } } });
  expect(await stored.json()).toMatchObject({ content: [{ workspace: projectId }], total: 1 });
});

it.each([
  ['study-gateway emulator', {}],
  ['study-gateway-emulator', { script: resolve('packages/emulator/dist/main.js') }],
])('%s keeps the contract of --contract, and names a mistake', async (_, program) => {
  const args = ['emulator', '--contract', save(forms['foreign names']!)].slice(
    'script' in program ? 1 : 0,
  );
  const { printed } = startProgram({ ...program, args });
  const [, url, token] = await printed(/emulator is ready at (\S+), its token is (\S+)\.\n/);
  const mistaken = startProgram({
    ...program,
    args: [...args.slice(0, -1), save({ keys: { header: '' } })],
  });

  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const body = JSON.stringify(foreignStudy);
  const response = await fetch(`${url}/studies`, { method: 'POST', headers, body });

  expect(await response.json()).toMatchObject({ workspace: projectId, meter: { all: 1 } });
  expect(await mistaken.exit).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('contract.json /keys/header is empty'),
  });
});
