import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import { createDirectory, startProgram, toPreload } from '../support/process.js';
import { startFastApi, studies, token, type Lie } from './fastapi.fixture.js';

vi.setConfig({ testTimeout: 20_000 });

/** Starts the built program as a user would. */
function start(url: string, args: readonly string[] = [], env: Record<string, string> = {}) {
  const environment = { STUDY_API_URL: url, STUDY_API_TOKEN: token, ...env };
  return startProgram({ args: ['probe', ...args], env: environment }).exit;
}

const withoutTokenIs403: Lie = (answer, { headers }) =>
  headers.authorization ? answer : { ...answer, status: 403 };

it('exits with 0 when nothing is refuted', async () => {
  const { url } = await startFastApi();

  const { code, stdout, stderr } = await start(url);

  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(stdout).toMatch(/^CONFIRMED   status is a string {3,}3 of 3$/m);
  expect(stdout).toMatch(/^NOT PROBED  POST \/studies stores .* needs a write$/m);
  expect(stdout).toMatch(/\n\n\d+ confirmed, 9 not probed, 1 unknown; 13 requests, all GET\.\n$/);
});

it('exits with 1 when an assumption is refuted, and prints a counterexample', async () => {
  const { url } = await startFastApi(withoutTokenIs403);

  const { code, stdout } = await start(url);

  expect(code).toBe(1);
  const [, refutation] = stdout.split(/^(?=REFUTED)/m);
  expect(refutation?.split('\n\n')[0]).toBe(
    [
      `REFUTED     ${'A request without a token is answered with 401'.padEnd(72)}   403 in 1 of 1   GET #12   rest-outcome/failures.ts`,
      '            Gateway: No effect: the gateway makes no call without a token.',
      '            Change:  Nothing.',
      `            See:     curl -i "${url}/studies/$STUDY_ID" -H "Accept: application/json"  # $STUDY_ID: item 1 of GET #1`,
    ].join('\n'),
  );
});

it('exits with 2 when the token is not accepted', async () => {
  const { url, calls } = await startFastApi();

  const { code, stdout } = await start(url, [], { STUDY_API_TOKEN: 'an-old-token' });

  expect(code).toBe(2);
  expect(stdout).toMatch(
    /; 1 request, a GET\.\nThe probe stopped: GET #1 was answered 401: the token is not accepted\.\n$/,
  );
  expect(calls).toHaveLength(1);
});

it('exits with 2 after a defect of its own, which refutes nothing, and prints where the defect is', async () => {
  const { url } = await startFastApi();
  const defect = `JSON.stringify = () => { throw new TypeError('a defect'); }`;

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

it.for([['--token=canary-token'], ['canary-token'], ['--study'], ['--study', '']])(
  'refuses the arguments %j, without repeating them in the output',
  async (args) => {
    const { code, stdout, stderr } = await start('http://127.0.0.1:9', args);

    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(/^The probe cannot run\.\nUsage: node dist\/main\.js probe /);
    expect(stderr).not.toContain('canary');
  },
);

it('prints every request as a curl command with --plan, and sends none', async () => {
  const { url, calls } = await startFastApi();

  const { code, stdout } = await start(`${url}/api/v1/`, ['--plan'], { STUDY_API_TOKEN: '' });

  expect(code).toBe(0);
  expect(calls).toEqual([]);
  const base = `curl -i "${url}/api/v1/studies`;
  const accept = '-H "Accept: application/json"';
  const headers = `-H "Authorization: Bearer $STUDY_API_TOKEN" ${accept}`;
  const nobody = 'ffffffff-ffff-4fff-bfff-ffffffffffff';
  expect(stdout.split('\n')).toEqual([
    '# GET #1',
    `${base}" ${headers}`,
    '# GET #2',
    `${base}?page=1&size=1" ${headers}`,
    '# GET #3',
    `${base}?page=2&size=1" ${headers}`,
    '# GET #4',
    `${base}?projectId=$PROJECT_ID" ${headers}`,
    '# GET #5',
    `${base}?projectId=${nobody}" ${headers}`,
    '# GET #6',
    `${base}?projectId=$PROJECT_ID,${nobody}" ${headers}`,
    '# GET #7 to #16: one for each study of the list, up to 10',
    `${base}/$STUDY_ID" ${headers}`,
    '# GET #17',
    `${base}/${nobody}" ${headers}`,
    '# GET #18',
    `${base}/not-a-uuid" ${headers}`,
    '# GET #19',
    `${base}/$STUDY_ID" ${accept}`,
    '# GET #20',
    `${base}/$STUDY_ID" -H "Authorization: Bearer study-gateway-probe-wrong-token" ${accept}`,
    '',
  ]);
});

it('sends exactly the requests that --plan prints', async () => {
  const { url, calls } = await startFastApi();
  const ids = studies.map(({ id }) => String(id));
  const named = ids.slice(0, 1).flatMap((id) => ['--study', id]);
  const { stdout } = await start(url, [...named, '--plan']);
  await start(url, named);
  const run = calls.map((call) => `${call.url} ${call.headers.authorization}`);

  const planned = stdout
    .split('\n')
    .filter((line) => line.startsWith('curl '))
    .map((line) => {
      const [, path = ''] = /"http:\/\/[^/]+([^"]*)"/.exec(line) ?? [];
      const [, bearer] = /"Authorization: ([^"]*)"/.exec(line) ?? [];
      const known = { $STUDY_ID: ids[0], $PROJECT_ID: studies[0]!['projectId'] };
      const toKnown = (name: string): string => String(known[name as keyof typeof known]);
      const sent = bearer?.replace('$STUDY_API_TOKEN', token);
      return `${path.replaceAll(/\$[A-Z_]+/g, toKnown)} ${sent}`;
    });

  expect(planned).toEqual(run);
});

it('writes nothing except its report', async () => {
  const { url } = await startFastApi();
  const cwd = createDirectory();
  const env = { STUDY_API_URL: url, STUDY_API_TOKEN: token };

  const { stdout } = await startProgram({ args: ['probe', '--json'], env, cwd }).exit;

  expect(JSON.parse(stdout)).toMatchObject({ stopped: null, counts: { REFUTED: 0 } });
  expect(readdirSync(cwd)).toEqual([]);
});
