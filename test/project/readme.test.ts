import { readFileSync } from 'node:fs';
import { expect, it, vi } from 'vitest';
import type { z } from 'zod';
import manifest from '../../package.json' with { type: 'json' };
import { environmentSchema } from '../../src/config/config.variables.js';
import { runCurl, startProgram, startReadyProgram } from '../support/process.js';

vi.setConfig({ testTimeout: 20_000 });

const readme = readFileSync('README.md', 'utf8');
const configuration = readFileSync('docs/configuration.md', 'utf8');
const ci = readFileSync('.ci/run', 'utf8');

/** The lines of all sh blocks; a line that ends with a backslash goes on in the next one. */
const commands = [...readme.matchAll(/^```sh\n([^]*?)^```$/gm)].flatMap(([, block = '']) =>
  block.replaceAll('\\\n', ' ').trimEnd().split('\n'),
);

/** The cells of the rows below the header `header`. */
function readTable(text: string, header: readonly string[]): string[][] {
  const rows = text.split('\n').map((line) =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
  const start = rows.findIndex((cells) => cells.join() === header.join());
  const end = rows.findIndex((cells, index) => index > start && cells.length === 0);
  // Below the header comes the line of dashes.
  return start === -1 ? [] : rows.slice(start + 2, end);
}

/** What the row of a variable has to say. */
function toRow([name, schema]: [string, z.ZodType]): string[] {
  const value = schema.parse(undefined) as string | number | undefined;
  return [`\`${name}\``, value === undefined ? '–' : `\`${value}\``, schema.description ?? ''];
}

const header = ['Variable', 'Default', 'Meaning'];
const variables = Object.entries(environmentSchema.shape).map(toRow);

it('lists every environment variable in docs/configuration.md, and no other', () => {
  expect(readTable(configuration, header)).toEqual(variables);
});

it('has ten of the variables in the README, with the same default and meaning', () => {
  const rows = readTable(readme, header);

  expect(rows).toHaveLength(10);
  expect(variables).toEqual(expect.arrayContaining(rows));
});

/** Each call of curl with the answer below it. */
const examples = [...readme.matchAll(/^```sh\n(curl [^]*?)^```\n\n```json\n([^]*?)^```$/gm)].map(
  ([, command = '', answer = '']) => ({ command, answer }),
);

/** What differs from run to run. */
function withoutIds(answer: unknown): unknown {
  const uuid = /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;
  return JSON.parse(JSON.stringify(answer).replaceAll(uuid, 'a UUID'));
}

it('shows the answer of every call of curl', () => {
  expect(examples.length).toBeGreaterThan(1);
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

const starts = commands.filter((command) => command.endsWith('node dist/main.js'));

it.for(starts)('starts with %s', async (command) => {
  const env = Object.fromEntries(
    command
      .split(' ')
      .slice(0, -2)
      .map((pair) => pair.split('=')),
  );

  const program = startProgram({ env });

  await expect(program.printed(/"Server listening at /)).resolves.toBeTruthy();
});

it('has no command that is not run here or by .ci/run', () => {
  // Every test of a program needs what `npm run build` makes; `npm start` is that and `node dist/main.js`.
  const others = ['npm start', 'npm run build'];
  const unknown = commands.filter(
    (command) => !command.startsWith('curl ') && ![...starts, ...others].includes(command),
  );

  expect(starts.length).toBeGreaterThan(1);
  expect(manifest.scripts.prestart).toBe('npm run --silent build');
  expect(manifest.scripts.start).toBe('node dist/main.js');
  expect(unknown.filter((command) => !ci.includes(`\n${command} `))).toEqual([]);
});
