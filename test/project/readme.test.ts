import { readFileSync } from 'node:fs';
import { expect, it, onTestFinished, vi } from 'vitest';
import manifest from '../../package.json' with { type: 'json' };
import type { Variable } from '../../src/config/values.js';
import { allVariables } from '../../src/config/variables.js';
import { toPostInit } from '../support/post.js';
import { createDirectory, runCurl, startProgram, startReadyProgram } from '../support/process.js';
import { apis, projects, startApi, token } from '../judges/apis/apis.mjs';

vi.setConfig({ testTimeout: 20_000 });

const readme = readFileSync('README.md', 'utf8');
const configuration = readFileSync('docs/configuration.md', 'utf8');
const ci = readFileSync('.ci/set-up', 'utf8') + readFileSync('.ci/run', 'utf8');

/** The commands in all sh blocks. Lines that end with a backslash are joined with the next line. */
const commands = [...readme.matchAll(/^```sh\n([^]*?)^```$/gm)].flatMap(([, block = '']) =>
  block.replaceAll('\\\n', ' ').trimEnd().split('\n'),
);

/** Returns the names and the defaults in the table of variables. */
function readTable(text: string): string[][] {
  const [, rows = ''] = /^\| Variable +\| Default .*\n.*\n((?:\|.*\n)+)/m.exec(text) ?? [];
  return [...rows.matchAll(/^\| (\S+) +\| (.+?) +\|/gm)].map(([, name = '', value = '']) => [
    name,
    value,
  ]);
}

/** Returns the name and the default of a variable as the tables write them. */
function toCells({ name, schema }: Variable): string[] {
  const value = schema.parse(undefined) as string | number | undefined;
  return [`\`${name}\``, value === undefined ? '–' : `\`${value}\``];
}

it('docs/configuration.md lists exactly the environment variables of the gateway', () => {
  expect(readTable(configuration)).toEqual(allVariables.map(toCells));
});

it('the README lists ten variables with their defaults', () => {
  const rows = readTable(readme);

  expect(rows).toHaveLength(10);
  expect(allVariables.map(toCells)).toEqual(expect.arrayContaining(rows));
});

/** The curl commands in the README, each with the answer shown below the command. */
const examples = [...readme.matchAll(/^```sh\n(curl [^]*?)^```\n\n```json\n([^]*?)^```$/gm)].map(
  ([, command = '', answer = '']) => ({ command, answer }),
);

/** Replaces all UUIDs, which differ from run to run. */
function withoutIds(answer: unknown): unknown {
  const uuid = /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;
  return JSON.parse(JSON.stringify(answer).replaceAll(uuid, 'a UUID'));
}

it('the README shows the answer of every curl command', () => {
  expect(examples.length).toBeGreaterThan(0);
  expect(examples).toHaveLength(commands.filter((command) => command.startsWith('curl ')).length);
});

it.for(examples)(
  'answers example %$ as the README shows',
  { tags: ['curl'] },
  async ({ command, answer }) => {
    const { url } = await startReadyProgram();

    const seen = await runCurl(command.replace('http://127.0.0.1:4000', url));

    expect(withoutIds(seen)).toEqual(withoutIds(JSON.parse(answer)));
  },
);

/** The commands that connect another Study API: they make a contract, and start the gateway with the contract. */
const [toContract = '', doctor = '', withContract = ''] = commands.filter((command) =>
  command.includes('study-api.json'),
);

/** Returns the variables before a command. */
function toEnv(command: string): Record<string, string> {
  return Object.fromEntries([...command.matchAll(/([A-Z_]+)=(\S+) /g)].map(([, ...pair]) => pair));
}

it('connects another Study API by the commands of the README', async () => {
  const spring = apis.find(({ name }) => name === 'Spring');
  if (!spring) throw new Error('There is no such API.');
  const { origin, documentUrl, close } = await startApi(spring);
  onTestFinished(close);
  const cwd = createDirectory();
  const toOurs = (command: string) =>
    command
      .replaceAll('https://study-api.example/openapi.json', documentUrl)
      .replaceAll('https://study-api.example', origin);

  const [, args = ''] = toOurs(toContract).split('npm run contract -- ');
  const made = await startProgram({ cwd, args: ['contract', ...args.split(' ')] }).exit;
  const { url } = await startReadyProgram({ cwd, env: toEnv(toOurs(withContract)) });
  const input = `{ projectId: "${projects[0]}", interviewCount: 3 }`;
  const query = `mutation { createStudy(input: ${input}) { id interviewCount } }`;
  const headers = { authorization: `Bearer ${token}` };
  const answer = await fetch(`${url}/graphql`, toPostInit({ query }, headers));

  expect(manifest.scripts.contract).toBe('node dist/main.js contract');
  expect(withContract).toMatch(/ npm start$/);
  expect(made).toMatchObject({ code: 0 });
  expect(await answer.json()).toEqual({
    data: { createStudy: { id: expect.any(String), interviewCount: 3 } },
  });
});

it('the README has only commands that are run by this test or by .ci/run', () => {
  // `git clone` needs the address of a repository, and .ci/run begins with `npm ci`.
  const clone = 'git clone <url of this repository> study-gateway && cd study-gateway';
  const others = new Set([clone, 'npm ci && npm start', toContract, doctor, withContract]);
  const unknown = commands.filter(
    (command) => !command.startsWith('curl ') && !others.has(command),
  );

  expect(manifest.scripts.prestart).toBe('npm run --silent build');
  expect(manifest.scripts.start).toBe('node dist/main.js');
  expect(unknown.filter((command) => !ci.includes(`\n${command} `))).toEqual([]);
});
