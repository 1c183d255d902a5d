import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import manifest from '../../package.json' with { type: 'json' };
import { startProgram } from '../support/process.js';

it('are explained by --help, and answered by --version', async () => {
  const run = (...args: string[]) => startProgram({ args, cwd: '.' }).exit;

  const [help, version] = await Promise.all([run('contract', '--help'), run('--version')]);

  expect(help).toEqual({
    code: 0,
    signal: null,
    stdout: expect.stringMatching(/^Usage: study-gateway/),
    stderr: '',
  });
  expect(version).toEqual({ code: 0, signal: null, stdout: `${manifest.version}\n`, stderr: '' });
});

it.for([
  {
    args: ['--port=1'],
    stderr: 'study-gateway: "--port=1" is not a command. See study-gateway --help.',
  },
  ...['--write', '--wriet', `--write=false --project ${randomUUID()}`].map((options) => ({
    args: ['doctor', ...options.split(' ')],
    stderr:
      'study-gateway: "doctor" writes with --write --project <uuid>. See study-gateway --help.',
  })),
  { args: ['contract'], stderr: '"contract" needs --from <url or file> and --save <file>.' },
])('that are wrong are refused in a line, with 2: $args', async ({ stderr, ...program }) => {
  const env = { STUDY_API_URL: 'http://127.0.0.1:9', STUDY_API_TOKEN: 'token' };

  const { exit } = startProgram({ ...program, cwd: '.', env });

  expect(await exit).toEqual({ code: 2, signal: null, stdout: '', stderr: `${stderr}\n` });
});
