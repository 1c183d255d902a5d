import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { format, resolveConfig } from 'prettier';
import { expect, it } from 'vitest';
import { statements } from '../../packages/probe/src/statements.js';

const path = join(import.meta.dirname, '../../docs/study-api.md');

function toTable(): string {
  const rows = statements.map(
    ({ id, claim, source, askedBy, line }) =>
      `| ${claim} | ${source} | ${askedBy} | ${line === undefined ? '' : `\`${line}\``} | \`${id}\` |`,
  );
  const head = ['| Statement | Source | Checked by | Contract | Id |', '|-|-|-|-|-|'];
  return [...head, ...rows].join('\n');
}

// `vitest -u` writes the document.
it('documents every statement in a table', async () => {
  const document = readFileSync(path, 'utf8');
  const block = /(<!-- assumptions -->\n)[^]*?(<!-- end -->)/;
  const changed = document.replace(block, (_, start, end) => `${start}\n${toTable()}\n\n${end}`);

  const options = await resolveConfig(path);
  const expected = await format(changed, { ...options, parser: 'markdown' });

  await expect(expected).toMatchFileSnapshot(path);
});

it('has statements with unique ids', () => {
  const ids = statements.map(({ id }) => id);

  expect(ids).toEqual([...new Set(ids)]);
});
