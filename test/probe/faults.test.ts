import { gzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { startFastApi, studies, type Answer, type Lie } from './fastapi.fixture.js';
import { runProbe } from './probe.fixture.js';

/** Spoils each answer with success. */
function spoil(change: (text: string) => Partial<Answer>): Lie {
  return (answer) =>
    answer.status === 200 ? { ...answer, ...change(JSON.stringify(answer.body)) } : answer;
}

const faults: Record<string, [lie: Lie, fault: string]> = {
  'cut JSON': [spoil((text) => ({ raw: text.slice(0, -9) })), 'JSON that is cut or broken'],
  nothing: [spoil(() => ({ raw: '' })), 'an empty body'],
  NaN: [
    spoil((text) => ({ raw: text.replace(':1,', ':NaN,').replace(':true', ':NaN') })),
    'JSON with NaN or Infinity',
  ],
  'UTF-16': [spoil((text) => ({ raw: Buffer.from(`\ufeff${text}`, 'utf16le') })), 'JSON in UTF-16'],
  HTML: [spoil(() => ({ raw: '<!doctype html><p>Log in' })), 'a page of HTML'],
  'plain text under the name of gzip': [
    spoil((raw) => ({ raw, headers: { 'content-encoding': 'gzip' } })),
    'a body that says gzip and is not',
  ],
  'gzip that becomes too long': [
    spoil(() => ({
      raw: gzipSync(`"${'x'.repeat(2_000_000)}"`),
      headers: { 'content-encoding': 'gzip' },
    })),
    'a body of more than 1,000,000 bytes',
  ],
  'a redirect to another host': [
    spoil(() => ({ status: 302, raw: '', headers: { location: 'http://127.0.0.2/login' } })),
    'a redirect to another host (302)',
  ],
};

it.for(Object.entries(faults))('names one cause for answers of %s', async ([, [lie, fault]]) => {
  const { url } = await startFastApi(lie);

  const { exit, report } = await runProbe(url);

  const findings = report.statements.filter(({ is }) => is !== 'so' && is !== 'open');
  expect(findings.map(({ is, id }) => `${is} ${id}`)).toEqual(['fails http.answer']);
  expect(findings[0]?.seen).toContain(fault);
  expect(report.statements.find(({ id }) => id === 'auth.bearer')?.is).toBe('open');
  expect(exit).toBe(1);
});

it('names only where the study is, if `data` is around everything', async () => {
  const { url } = await startFastApi((answer) =>
    answer.status === 200 ? { ...answer, body: { data: answer.body } } : answer,
  );

  const { report } = await runProbe(url);

  const findings = report.statements.filter(({ is }) => is !== 'so' && is !== 'open');
  expect(findings.flatMap(({ contract }) => contract)).toEqual([
    { at: '/operations/studies/items', value: '/data/items' },
    { at: '/answer/at', value: '/data' },
  ]);
  expect(findings).toHaveLength(2);
});

function withItems(items: readonly unknown[] | null): Lie {
  return (answer, { path }) =>
    path === '/studies' && answer.status === 200
      ? { ...answer, body: items && { items, total: items.length, page: 1, size: 50, pages: 1 } }
      : answer;
}

it.for([
  ['half a surrogate pair as an id', [{ ...studies[0], id: '\ud800' }]],
  ['an id that leaves the path', [{ ...studies[0], id: '../../admin' }]],
] as const)('asks for no study with %s', async ([, items]) => {
  const { url, calls } = await startFastApi(withItems(items));

  const { statement } = await runProbe(url);

  expect(statement('field.id')).toMatchObject({
    is: 'fails',
    seen: 'a string that is no UUID in 1 of 1',
  });
  const paths = calls.map((call) => call.url).filter((path) => !path.startsWith('/studies?'));
  expect(new Set(paths)).toEqual(
    new Set(['/studies', '/studies/not-a-uuid', '/studies/ffffffff-ffff-4fff-bfff-ffffffffffff']),
  );
});

it.for([
  ['strings', ['one', 'two'], 'list.items', 'a string in place of a study in 2 of 2'],
  ['nothing', null, 'list.exists', 'null without an array of studies'],
] as const)('says that a list is of %s', async ([, items, id, seen]) => {
  const { url } = await startFastApi(withItems(items));

  const { exit, statement } = await runProbe(url);

  expect(statement(id)).toMatchObject({ is: 'fails', seen });
  expect(exit).toBe(1);
});

it('ends soon with a list of 100,000 studies', async () => {
  const items = Array.from({ length: 100_000 }, (_, index) => ({ id: index, name: 'x' }));
  const { url } = await startFastApi(withItems(items));
  const startedAt = performance.now();

  await runProbe(url, [], { maxAnswerBytes: 100_000_000 });

  expect(performance.now() - startedAt).toBeLessThan(15_000);
});

it('prints nothing but the reason if no connection is made', async () => {
  const { exit, report } = await runProbe('http://127.0.0.1:9');

  expect(exit).toBe(2);
  expect(report.stopped).toBe(
    '#1 GET /studies: no connection, or none that answers (ECONNREFUSED)',
  );
});

it('shows a name that may be a value or a secret only by its length', async () => {
  const names = ['a-token', studies[0]!['id'], 'A person who left, 2026'].map(String);
  const { url } = await startFastApi((answer, { path }) =>
    path !== '/studies' && answer.status === 200
      ? {
          ...answer,
          body: {
            ...(answer.body as object),
            ...Object.fromEntries(names.map((name) => [name, 1])),
          },
        }
      : answer,
  );

  const { report, statement } = await runProbe(url);

  expect(statement('field.other')?.seen).toBe(
    'a name of 7 characters, a name of 36 characters, a name of 23 characters',
  );
  for (const name of names) expect(JSON.stringify(report)).not.toContain(name);
});
