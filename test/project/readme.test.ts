import { readFileSync } from 'node:fs';
import { expect, it, vi } from 'vitest';
import type { z } from 'zod';
import manifest from '../../package.json' with { type: 'json' };
import { environmentSchema } from '../../src/config/config.variables.js';
import { runCurl, startReadyProgram } from '../support/process.js';

vi.setConfig({ testTimeout: 20_000 });

const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8');

/** The lines of all sh blocks; a line that ends with a backslash goes on in the next one. */
const commands = [...readme.matchAll(/^```sh\n([^]*?)^```$/gm)].flatMap(([, block = '']) =>
  block.replaceAll('\\\n', ' ').trimEnd().split('\n'),
);

/** The cells of the rows below the header `header`. */
function readTable(header: readonly string[]): string[][] {
  const rows = readme.split('\n').map((line) =>
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

it('lists every environment variable with its default and meaning, and no other', () => {
  const rows = Object.entries(environmentSchema.shape).map(toRow);

  expect(readTable(['Variable', 'Default', 'Meaning'])).toEqual(rows);
});

const examples = commands.filter((command) => command.startsWith('curl http://127.0.0.1:4000'));

it('has an example for curl', () => {
  expect(examples).not.toEqual([]);
});

it.for(examples)('creates a study with example %$', { tags: ['curl'] }, async (example) => {
  const { url } = await startReadyProgram();

  const answer = await runCurl(example.replace('http://127.0.0.1:4000', url));

  expect(answer).toEqual({
    data: {
      createStudy: expect.objectContaining({ id: expect.stringMatching(/^[0-9a-f-]{36}$/) }),
    },
  });
});

it('names only npm scripts that exist', () => {
  const inline = [...readme.matchAll(/`([^`\n]+)`/g)].map(([, code = '']) => code);
  const named = [...commands, ...inline].flatMap((code) =>
    [...code.matchAll(/\bnpm (?:run )?([\w:-]+)/g)].map(([, name = '']) => name),
  );
  const scripts = named.filter((name) => !['ci', 'install', 'i', 'pack'].includes(name));

  expect(named).toEqual(expect.arrayContaining(['ci', 'start', 'test']));
  expect(scripts.filter((name) => !(name in manifest.scripts))).toEqual([]);
});
