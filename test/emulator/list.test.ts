import { describe, expect, it } from 'vitest';
import { bearer, startTestEmulator, type TestEmulator } from '../support/emulator.js';

const one = '6F1C2A34-0b9d-4e5f-8a7b-1c2d3e4f5a6b';
const two = '11111111-2222-3333-4444-555555555555';

const list = async ({ call }: TestEmulator, query = ''): Promise<object> =>
  call('GET', `/studies${query}`);

describe('list', () => {
  it('answers complete studies, the newest first', async () => {
    const emulator = await startTestEmulator();
    const first = await emulator.create({ createdAt: '2030-01-01T00:00:00Z' });
    const second = await emulator.create({ createdAt: '2020-01-01T00:00:00Z' });
    const { body: edited } = await emulator.call('PATCH', `/studies/${first.id}`, { status: 'x' });

    expect(await list(emulator)).toEqual({
      status: 200,
      body: { items: [second, edited], total: 2, page: 1, size: 50, pages: 1 },
    });
  });

  it('answers one page after the other, and an empty page after the last', async () => {
    const emulator = await startTestEmulator();
    const studies = [];
    for (let count = 0; count < 5; count++) studies.unshift(await emulator.create());
    const totals = { total: 5, size: 2, pages: 3 };

    for (const { page, items } of [
      { page: 1, items: studies.slice(0, 2) },
      { page: 2, items: studies.slice(2, 4) },
      { page: 3, items: studies.slice(4) },
      { page: 4, items: [] },
    ])
      expect(await list(emulator, `?size=2&page=${page}`)).toEqual({
        status: 200,
        body: { items, page, ...totals },
      });
  });

  it('has 50 studies on a page without a size', async () => {
    const emulator = await startTestEmulator();
    for (let count = 0; count < 51; count++) await emulator.create();

    expect(await list(emulator)).toMatchObject({
      body: { items: { length: 50 }, total: 51, size: 50, pages: 2 },
    });
  });

  it('answers only the studies of the given projects, whose ids may be in upper or lower case', async () => {
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

  it('answers no study of another token', async () => {
    const { call, create } = await startTestEmulator({ tokens: ['ada', 'grace'] });
    const study = await create();

    expect(await call('GET', '/studies')).toMatchObject({ body: { items: [study] } });
    expect(await call('GET', '/studies', undefined, bearer('grace'))).toMatchObject({
      body: { items: [], total: 0 },
    });
    expect(await call('GET', '/studies', undefined, bearer('nobody'))).toMatchObject({
      status: 401,
    });
  });

  const integer = {
    type: 'int_parsing',
    msg: 'Input should be a valid integer, unable to parse string as an integer',
  };
  const uuid = {
    type: 'uuid_parsing',
    msg: 'Input should be a valid UUID, expected 8-4-4-4-12 hexadecimal digits',
  };

  it.each([
    ['page=0', ['page'], { type: 'greater_than_equal', msg: expect.stringMatching(/ 1$/) }],
    ['page=', ['page'], integer],
    ['page=1e2', ['page'], integer],
    ['size=0', ['size'], { type: 'greater_than_equal', msg: expect.stringMatching(/ 1$/) }],
    ['size=101', ['size'], { type: 'less_than_equal', msg: expect.stringMatching(/ 100$/) }],
    ['projectId=', ['projectId', 0], uuid],
    [`projectId=${one},x`, ['projectId', 1], uuid],
  ])('answers 422 to %s', async (query, loc, problem) => {
    const emulator = await startTestEmulator();

    expect(await list(emulator, `?${query}`)).toEqual({
      status: 422,
      body: { detail: [{ ...problem, loc: ['query', ...loc], input: expect.anything() }] },
    });
  });

  it('uses the last of several values of a parameter, and ignores unknown parameters', async () => {
    const emulator = await startTestEmulator();

    expect(await list(emulator, '?size=x&size=7&cursor=x')).toMatchObject({
      status: 200,
      body: { size: 7 },
    });
  });
});
