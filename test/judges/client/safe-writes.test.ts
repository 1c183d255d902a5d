// @module-tag chromium

import { expect, it } from 'vitest';
import { daily } from '../../support/daily.js';
import { openStage } from './stage.fixture.js';

const unsettledA = { input: { description: 'A' }, isExpired: false, isSendable: true };

it('writes a lost create once, although a reloaded page holds another text', async () => {
  const { openTab, behave, readStored } = await openStage();
  const tab = await openTab();
  behave([], 'cutAfter');
  await tab.create('A');
  await tab.page.reload();
  await tab.page.getByText('ready').waitFor();
  behave([]);

  expect(await tab.list()).toEqual([{ ...unsettledA, stored: true }]);
  await tab.create('B');
  expect(await tab.decide('sendAgain')).toBe('done');

  expect(await readStored()).toEqual(['A', 'B']);
  expect(await tab.list()).toEqual([]);
});

it('never repeats an edit after a newer one of another tab', async () => {
  const { openTab, behave, sent, release, emulator } = await openStage();
  const { id } = await emulator.create({ description: 'S' });
  const [older, newer] = [await openTab(), await openTab()];
  behave(['holdThenCut']);

  const edit = older.edit(id, { description: 'x' });
  await expect.poll(() => sent.length).toBe(1);
  await newer.edit(id, { description: 'y' });
  release();

  expect(await edit).toHaveProperty('error');
  expect(sent.map(({ input }) => input.description)).toEqual(['x', 'y']);
  expect(await older.list()).toEqual([]);
  expect(await emulator.call('GET', `/studies/${id}`)).toMatchObject({
    body: { description: 'y' },
  });
});

daily(() => {
  it('sends a write as new once, although two tabs decide so at once', async () => {
    const { openTab, behave, readStored } = await openStage();
    const [first, second] = [await openTab(), await openTab()];
    behave([], 'cutBefore');
    await first.create('A');
    behave([]);
    await expect.poll(() => second.list()).toHaveLength(1);

    await Promise.all([first.decide('sendAsNew'), second.decide('sendAsNew')]);

    expect(await readStored()).toEqual(['A']);
  });

  it.each([
    [
      'full',
      "Storage.prototype.setItem = () => { throw new DOMException('', 'QuotaExceededError'); }",
    ],
    [
      'forbidden',
      "Object.defineProperty(window, 'localStorage', { get() { throw new DOMException('', 'SecurityError'); } })",
    ],
  ])('keeps a write in memory if the storage is %s', async (_, spoil) => {
    const { context, openTab, behave, readStored } = await openStage();
    await context.addInitScript(spoil);
    const tab = await openTab();
    behave([], 'cutAfter');
    await Promise.all([tab.create('A'), tab.create('A')]);
    behave([]);

    expect(await tab.list()).toEqual([{ ...unsettledA, stored: false }]);
    await tab.decide('sendAgain');
    expect(await readStored()).toEqual(['A']);
  });

  it('shows and lends nothing to another user, or to a private window', async () => {
    const { openTab, behave, sent } = await openStage();
    behave([], 'cutBefore');
    const tab = await openTab();
    await tab.create('A');
    behave([]);

    for (const other of [await openTab('owner=bob'), await openTab('', false)]) {
      expect(await other.list()).toEqual([]);
      await other.create('A');
    }

    expect(new Set(sent.map(({ key }) => key)).size).toBe(3);
    expect(await tab.list()).toHaveLength(1);
  });

  it('lists a write in an open tab when the tab that sends it is closed', async () => {
    const { openTab, behave, sent, release, readStored } = await openStage();
    const [closed, open] = [await openTab(), await openTab()];
    behave(['hold']);
    const write = closed.create('A').catch(() => undefined);
    await expect.poll(() => sent.length).toBe(1);
    expect(await open.list()).toEqual([]);
    await closed.page.close();
    await write;

    await expect.poll(() => open.list()).toHaveLength(1);
    release();
    await expect.poll(readStored).toEqual(['A']);
    await open.decide('sendAgain');
    expect(await readStored()).toEqual(['A']);
  });
});
