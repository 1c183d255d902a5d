import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { format, resolveConfig } from 'prettier';
import { expect, it } from 'vitest';
import { createStudySchema } from '../../packages/emulator/src/study.schema.js';
import { assumptions } from '../../src/probe/assumptions.js';
import { probe } from '../../src/probe/probe.js';
import { startTestEmulator } from '../support/emulator.js';
import { wholeStudy } from '../support/studies.js';

const path = join(import.meta.dirname, '../../docs/study-api.md');

/** Replaces the text between `<!-- name -->` and the next `<!-- end -->`. */
function withBlock(document: string, name: string, text: string): string {
  const block = new RegExp(`(<!-- ${name} -->\n)[^]*?(<!-- end -->)`);
  return document.replace(block, (_, start, end) => `${start}\n${text}\n\n${end}`);
}

function toTable(): string {
  const rows = assumptions.map(
    ({ id, claim, source, place, check }) =>
      `| ${claim} | ${source} | ${check ? 'yes' : 'no: needs a write'} | \`${place}\` | \`${id}\` |`,
  );
  return [
    '| Statement | Source | Probed | Relied on in `src/` | Id |',
    '|-|-|-|-|-|',
    ...rows,
  ].join('\n');
}

/** Probes an emulator with three studies in two projects, and returns the printed report. */
async function printRun(): Promise<string> {
  const { url, create } = await startTestEmulator();
  const fields = Object.fromEntries(
    Object.entries(wholeStudy).filter(([name]) => name in createStudySchema.shape),
  );
  await create(fields);
  await create({ ...fields, projectId: '123e4567-e89b-12d3-a456-426614174001' });
  await create(fields);
  let printed = '';
  const environment = { STUDY_API_URL: url, STUDY_API_TOKEN: 'demo-drift-missing' };
  await probe([], environment, { print: (text) => void (printed += text), isColored: false });
  return printed.replaceAll(url, 'http://127.0.0.1:4010').trimEnd();
}

/** Replaces times and lengths by 0, because they differ from run to run. */
function toLasting(text: string): string {
  return text.replaceAll(/[\d,]+ (?=ms|bytes)/g, '0 ');
}

// `vitest -u` writes the document.
it('documents every assumption in a table, and the output of a run', async () => {
  const document = readFileSync(path, 'utf8');
  const withRun = withBlock(document, 'run', `\`\`\`text\n${await printRun()}\n\`\`\``);
  const options = await resolveConfig(path);

  const expected = await format(withBlock(withRun, 'assumptions', toTable()), {
    ...options,
    parser: 'markdown',
  });

  const isSame = toLasting(expected) === toLasting(document);
  await expect(isSame ? document : expected).toMatchFileSnapshot(path);
});

it('has assumptions with unique ids and existing files', () => {
  const ids = assumptions.map(({ id }) => id);
  const needed = assumptions.flatMap(({ needs = [] }) => needs);

  const toPath = (place: string): string =>
    place.startsWith('rest-outcome/')
      ? place.replace('/', '/src/').replace(/^/, 'packages/')
      : join('src', place);
  expect(assumptions.filter(({ place }) => !existsSync(toPath(place)))).toEqual([]);
  expect(ids).toEqual([...new Set(ids)]);
  expect(ids).toEqual(expect.arrayContaining(needed));
});
