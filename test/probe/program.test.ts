import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import { createDirectory, startProgram, toPreload } from '../support/process.js';
import { startFastApi, token } from './fastapi.fixture.js';

vi.setConfig({ testTimeout: 20_000 });

/** Starts the built program as a user would. */
function start(url: string, args: readonly string[] = [], env: Record<string, string> = {}) {
  const environment = { STUDY_API_URL: url, STUDY_API_TOKEN: token, ...env };
  return startProgram({ args: ['probe', ...args], env: environment }).exit;
}

it('exits with 0 when the API keeps the contract', async () => {
  const { url } = await startFastApi();

  const { code, stdout, stderr } = await start(url);

  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  const lines = [
    'createStudy  not asked: needs --write',
    'editStudy    not asked: needs --write',
    'study        works',
    'studies      works',
    '',
    '45 statements hold. 14 requests, all GET.',
    '20 more statements need --write.',
    '',
  ];
  expect(stdout).toBe(lines.join('\n'));
});

it('exits with 1 when the API differs, and prints a counterexample and the line to change, in 80 columns', async () => {
  const { url } = await startFastApi((answer, { path }) =>
    path === '/studies' || answer.status !== 200
      ? answer
      : { ...answer, body: { ...(answer.body as object), planId: undefined, plan_id: null } },
  );

  const { code, stdout } = await start(url);

  expect(code).toBe(1);
  expect(stdout).toContain(`
DIFFERS  field.planId: \`planId\` is a string, or null.
         Seen: \`plan_id\` in answers (#8, #9, #10: GET /studies/$STUDY_ID)
         Contract: /answer/names/planId: "plan_id"
`);
  expect(stdout.split('\n').filter((line) => line.length > 80)).toEqual([]);
});

it('exits with 2 when the token is not accepted', async () => {
  const { url, calls } = await startFastApi();

  const { code, stdout } = await start(url, [], { STUDY_API_TOKEN: 'an-old-token' });

  expect(code).toBe(2);
  expect(stdout).toMatch(
    /^The probe stopped: #1 GET \/studies: answered 401, the token is not accepted\.\n/,
  );
  expect(calls).toHaveLength(1);
});

it('prints only the reason when the API cannot be reached', async () => {
  const { code, stdout } = await start('http://127.0.0.1:9');

  expect(code).toBe(2);
  expect(stdout.split('\n')).toHaveLength(3);
  expect(stdout).toContain('ECONNREFUSED');
});

it('exits with 2 after a defect of its own, which refutes nothing, and prints where the defect is', async () => {
  const { url } = await startFastApi();
  const defect = `const { stringify } = JSON;
    JSON.stringify = (value, ...others) => {
      if (value?.statements) throw new TypeError('a defect');
      return stringify(value, ...others);
    };`;

  const { code, stdout, stderr } = await startProgram({
    args: ['probe', '--json'],
    env: { STUDY_API_URL: url, STUDY_API_TOKEN: token },
    nodeArgs: toPreload(defect),
  }).exit;

  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  expect(stderr).toMatch(/^The probe cannot run\.\nTypeError: a defect\n +at /);
});

it('exits with 2 when nobody reads its report', async () => {
  const { url } = await startFastApi();
  const program = startProgram({
    args: ['probe'],
    env: { STUDY_API_URL: url, STUDY_API_TOKEN: token },
  });
  program.child.stdout?.destroy();

  const { code, stderr } = await program.exit;

  expect(code).toBe(2);
  expect(stderr).toMatch(/^The probe cannot run\.\nError: write EPIPE/);
});

it('reads the token from a file', async () => {
  const { url, calls } = await startFastApi();
  const directory = createDirectory();
  writeFileSync(join(directory, 'token'), `${token}\n`);
  const env = { STUDY_API_TOKEN: '', STUDY_API_TOKEN_FILE: join(directory, 'token') };

  const { code } = await start(url, [], env);

  expect(code).toBe(0);
  expect(calls[0]?.headers.authorization).toBe(`Bearer ${token}`);
});

it.for([
  [{ STUDY_API_URL: '' }, 'STUDY_API_URL must be set: it names the API to probe.'],
  [{ STUDY_API_URL: 'studies' }, 'STUDY_API_URL must be an http or https URL.'],
  [{ STUDY_API_TOKEN: '' }, 'STUDY_API_TOKEN or STUDY_API_TOKEN_FILE must be set.'],
  [
    { STUDY_API_TOKEN_FILE: '/nowhere' },
    'STUDY_API_TOKEN_FILE: the file cannot be read, or holds no bearer token.',
  ],
] as const)('exits with 2 and names the problem in the environment %j', async ([env, message]) => {
  const exit = await start('http://127.0.0.1:9', [], env);

  expect(exit).toMatchObject({
    code: 2,
    stdout: '',
    stderr: `The probe cannot run.\n${message}\n`,
  });
});

it('ignores variables that only the gateway needs', async () => {
  const { url } = await startFastApi();
  const env = { NODE_ENV: 'production', AUTH_MODE: 'forward', PORT: 'none' };

  expect(await start(url, [], env)).toMatchObject({ code: 0 });
});

it.for([
  ['--token=canary-token'],
  ['canary-token'],
  ['--study'],
  ['--study', 'canary'],
  ['--write'],
  ['--project', '33333333-3333-4333-8333-333333333333'],
])('refuses the arguments %j, without repeating them in the output', async (args) => {
  const { code, stdout, stderr } = await start('http://127.0.0.1:9', args);

  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  expect(stderr).toMatch(/^Wrong arguments\. See study-gateway probe --help\.\n$/);
  expect(stderr).not.toContain('canary');
});

it('prints what it would ask with --plan, and asks nothing', async () => {
  const { url, calls } = await startFastApi();
  const write = ['--write', '--project', '33333333-3333-4333-8333-333333333333'];

  const reading = await start(url, ['--plan'], { STUDY_API_TOKEN: '' });
  const writing = await start(url, ['--plan', ...write], { STUDY_API_TOKEN: '' });

  expect([reading.code, writing.code]).toEqual([0, 0]);
  expect(reading.stdout).not.toMatch(/POST|PATCH/);
  expect(writing.stdout).toMatch(/^PATCH .*\n[^]*^POST all fields/m);
  expect(calls).toEqual([]);
});

it('writes nothing except its report', async () => {
  const { url } = await startFastApi();
  const cwd = createDirectory();
  const env = { STUDY_API_URL: url, STUDY_API_TOKEN: token };

  const { stdout } = await startProgram({ args: ['probe', '--json'], env, cwd }).exit;

  expect(JSON.parse(stdout)).toMatchObject({ stopped: null, operations: { study: 'works' } });
  expect(readdirSync(cwd)).toEqual([]);
});
