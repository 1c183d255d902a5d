import { expect, it } from 'vitest';
import { createStudySchema } from '../../packages/emulator/src/study.schema.js';
import { startTestEmulator } from '../support/emulator.js';
import { wholeStudy } from '../support/studies.js';
import { startFastApi, studies, type Lie } from './fastapi.fixture.js';
import { runProbe } from './probe.fixture.js';

const isRead = ({ path }: { readonly path: string }): boolean => path !== '/studies';

/** Everything that an honest API may do. */
const honest: Record<string, Lie> = {
  'does as is assumed': (answer) => answer,
  'lists 20 studies by default': (answer, asked) =>
    isRead(asked) || asked.query.has('size') || answer.status !== 200
      ? answer
      : { ...answer, body: { ...(answer.body as object), size: 20 } },
  'answers 404 beyond the last page': (answer, asked) => {
    const { items = [] } = answer.body as { readonly items?: readonly unknown[] };
    if (isRead(asked) || answer.status !== 200) return answer;
    const page = { items: studies.slice(0, 1), total: 1, page: 1, size: 50, pages: 1 };
    if (asked.query.has('projectId'))
      return { ...answer, body: { ...page, items: items.slice(0, 1) } };
    return asked.query.get('page') === '2'
      ? { status: 404, body: { detail: 'none' } }
      : { ...answer, body: page };
  },
  'gets a study meanwhile': (answer, asked) => {
    if (!asked.query.has('page') || answer.status !== 200) return answer;
    const study = { ...studies[0], id: '30000000-0000-4000-8000-000000000003' };
    const items = asked.query.get('page') === '1' ? [study] : [studies[0]];
    return { ...answer, body: { ...(answer.body as object), items, total: 4 } };
  },
  'gets a study of the project meanwhile': (answer, { query }) => {
    const { items = [] } = answer.body as { readonly items?: readonly object[] };
    if (!query.get('projectId')?.includes(',')) return answer;
    const study = { ...items[0], id: '30000000-0000-4000-8000-000000000003' };
    return { ...answer, body: { ...(answer.body as object), items: [study, ...items] } };
  },
  'has a strategy and a createdAt of another form': (answer, asked) =>
    isRead(asked) && answer.status === 200
      ? {
          ...answer,
          body: {
            ...(answer.body as object),
            strategy: 'seventh',
            createdAt: '2026-12-31t23:59:60.5z',
          },
        }
      : answer,
  'answers 203, and calls JSON text': (answer) => ({
    ...answer,
    status: answer.status === 200 ? 203 : answer.status,
    headers: { 'content-type': 'text/plain' },
  }),
  'does not let the token list studies': (answer, asked) =>
    isRead(asked) ? answer : { status: 403, body: { detail: 'Forbidden' } },
};

it.for(Object.entries(honest))('finds nothing in an API that %s', async ([, lie]) => {
  const { url } = await startFastApi(lie);

  const { exit, ids, report } = await runProbe(`${url}/api/v1/`);

  expect(ids('fails', 'differs', 'settle', 'note')).toEqual([]);
  expect(report.operations).toMatchObject({ createStudy: 'not asked: needs --write' });
  expect(exit).toBe(0);
});

it('confirms everything that reading can tell of an honest API', async () => {
  const { url } = await startFastApi();

  const { report } = await runProbe(url);

  const asked = report.statements.filter(({ askedBy }) => askedBy === 'reading');
  expect(asked.filter(({ is }) => is !== 'so')).toEqual([]);
  expect(report.operations).toEqual({
    createStudy: 'not asked: needs --write',
    editStudy: 'not asked: needs --write',
    study: 'works',
    studies: 'works',
  });
});

it('finds nothing in the emulator', async () => {
  const { url, token, create } = await startTestEmulator();
  const fields = Object.fromEntries(
    Object.entries(wholeStudy).filter(([name]) => name in createStudySchema.shape),
  );
  await create(fields);
  await create({ ...fields, projectId: '123e4567-e89b-12d3-a456-426614174001' });

  const { exit, ids } = await runProbe(url, [], { token });

  expect(ids('fails', 'differs', 'settle', 'note')).toEqual([]);
  // Every `planId` of the emulator is `null`.
  expect(ids('open').filter((id) => id.startsWith('field.'))).toEqual(['field.planId']);
  expect(exit).toBe(0);
});

it('names the fields that the GraphQL schema does not have', async () => {
  const { url } = await startFastApi((answer) =>
    'id' in Object(answer.body)
      ? { ...answer, body: { ...(answer.body as object), updatedAt: 'now', tags: [] } }
      : answer,
  );

  const { exit, statement } = await runProbe(url);

  expect(statement('field.other')).toMatchObject({ is: 'note', seen: '`updatedAt`, `tags`' });
  expect(exit).toBe(1);
});

it('reads the studies given by --study', async () => {
  const { url, calls } = await startFastApi();
  const ids = [studies[2]!['id'], studies[0]!['id']].map(String);

  await runProbe(
    url,
    ids.flatMap((id) => ['--study', id]),
  );

  const read = calls.map((call) => call.url).filter((path) => ids.some((id) => path.endsWith(id)));
  // The last two requests have no token and a wrong token.
  expect(read).toEqual([...ids, ids[1], ids[1]].map((id) => `/studies/${id}`));
});

it.for(['not there', 'there'])(
  'blames nobody for a mistyped --study while a list is %s',
  async (list) => {
    const { url } = await startFastApi((answer, { path }) =>
      path === '/studies' && list === 'not there'
        ? { status: 403, body: { detail: 'no' } }
        : answer,
    );

    const { exit, statement, ids } = await runProbe(url, [
      '--study',
      '33333333-3333-4333-8333-333333333333',
    ]);

    expect(ids('fails', 'differs', 'settle')).toEqual([]);
    expect(statement('read.exists')).toMatchObject({ is: 'open', seen: 'answered 404' });
    expect(exit).toBe(0);
  },
);
