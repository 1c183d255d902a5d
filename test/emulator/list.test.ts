import { expect, it } from 'vitest';
import { bearer, startTestEmulator, type TestEmulator } from '../support/emulator.js';

const one = '6F1C2A34-0b9d-4e5f-8a7b-1c2d3e4f5a6b';
const two = '11111111-2222-3333-4444-555555555555';

const list = async ({ call }: TestEmulator, query = ''): Promise<object> =>
  call('GET', `/studies${query}`);

it('lists complete studies, the newest first', async () => {
  const emulator = await startTestEmulator();
  const first = await emulator.create({ createdAt: '2030-01-01T00:00:00Z' });
  const second = await emulator.create({ createdAt: '2020-01-01T00:00:00Z' });
  const { body: edited } = await emulator.call('PATCH', `/studies/${first.id}`, { status: 'x' });

  expect(await list(emulator)).toEqual({
    status: 200,
    body: { items: [second, edited], total: 2, page: 1, size: 50, pages: 1 },
  });
});

it('lists one page after the other, and an empty page after the last', async () => {
  const emulator = await startTestEmulator();
  const studies = [];
  for (let count = 0; count < 3; count++) studies.unshift(await emulator.create());
  const totals = { total: 3, size: 2, pages: 2 };

  for (const page of [1, 2, 3])
    expect(await list(emulator, `?size=2&page=${page}`)).toEqual({
      status: 200,
      body: { items: studies.slice(2 * page - 2, 2 * page), page, ...totals },
    });
});

it('lists only the studies of the given projects, whose ids may be in upper or lower case', async () => {
  const emulator = await startTestEmulator();
  const study = await emulator.create({ projectId: one });
  const other = await emulator.create({ projectId: two });
  await emulator.create();

  expect(await list(emulator, `?projectId=${one.toLowerCase()}`)).toMatchObject({
    body: { items: [study], total: 1, pages: 1 },
  });
  expect(await list(emulator, `?projectId=${one},${two}&size=1`)).toMatchObject({
    body: { items: [other], total: 2, pages: 2 },
  });
});

it('lists, reads and edits no study of another token', async () => {
  const { call, create } = await startTestEmulator({ tokens: ['ada', 'grace'] });
  const study = await create();

  expect(await call('GET', '/studies')).toMatchObject({ body: { items: [study] } });
  expect(await call('GET', '/studies', undefined, bearer('grace'))).toMatchObject({
    body: { items: [], total: 0 },
  });
  const notFound = { status: 404, body: { detail: 'Study not found' } };
  const path = `/studies/${study.id}`;
  expect(await call('GET', path, undefined, bearer('grace'))).toEqual(notFound);
  expect(await call('PATCH', path, { status: 'x' }, bearer('grace'))).toEqual(notFound);
});

it('answers 422 to arguments out of range, each with its place', async () => {
  const emulator = await startTestEmulator();

  const answer = await list(emulator, `?page=0&size=101&projectId=${one},x`);

  const detail = [
    ['too_small', 'page'],
    ['too_big', 'size'],
    ['invalid_format', 'projectId', 1],
  ].map(([type, ...loc]) => expect.objectContaining({ type, loc: ['query', ...loc] }));
  expect(answer).toEqual({ status: 422, body: { detail } });
});
