// @module-tag chromium

import { describe, expect, it } from 'vitest';
import { daily } from '../../support/daily.js';
import { openStage, type Library, type Way } from './stage.fixture.js';

const libraries: readonly Library[] = ['apollo', 'urql'];
/** Proxies that misbehave, one below each library. */
const proxies: Readonly<Record<Library, Way>> = { apollo: 'cutBodyAfter', urql: 'pageOf200After' };
const unsettledA = { input: { description: 'A' }, isExpired: false, isSendable: true };

it('writes a lost create once, although a reloaded page holds another text', async () => {
  const { openTab, behave, readStored } = await openStage('apollo');
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
  const { openTab, behave, sent, release, emulator } = await openStage('urql');
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
  describe.each(libraries)('with %s', (library) => {
    it.each([
      ['sendAsNew', ['A', 'A', 'B']],
      ['forget', ['A', 'B']],
    ] as const)('%s concerns the lost write alone', async (decision, stored) => {
      const { openTab, readStored } = await openStage(library);
      const tab = await openTab('token=demo-cut');
      await tab.create('A');
      await tab.page.evaluate("window.token = 'demo-token'");
      await tab.create('B');

      expect(await tab.decide(decision)).toBe('done');

      expect(await readStored()).toEqual(stored);
      expect(await tab.list()).toEqual([]);
    });

    it('shares the key of an equal write that another tab is sending', async () => {
      const { openTab, behave, sent, release, readStored } = await openStage(library);
      const [first, second] = [await openTab(), await openTab()];
      behave(['hold', 'hold']);

      const writes = [first.create('A')];
      await expect.poll(() => sent.length).toBe(1);
      writes.push(second.create('A'));
      await expect.poll(() => sent.length).toBe(2);
      release();

      for (const write of await Promise.all(writes)) expect(write).not.toHaveProperty('error');
      expect(new Set(sent.map(({ key }) => key)).size).toBe(1);
      expect(await readStored()).toEqual(['A']);
    });

    it('sends a write as new once, although two tabs decide so at once', async () => {
      const { openTab, behave, readStored } = await openStage(library);
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
      const { context, openTab, behave, readStored } = await openStage(library);
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
      const { openTab, behave, sent } = await openStage(library);
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
      const { openTab, behave, sent, release, readStored } = await openStage(library);
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

    it(`keeps the entry, and writes once, behind a proxy with ${proxies[library]}`, async () => {
      const { openTab, behave, readStored } = await openStage(library);
      const tab = await openTab();
      behave([], proxies[library]);
      expect(await tab.create('A')).toHaveProperty('error');
      behave([]);

      expect(await tab.list()).toEqual([{ ...unsettledA, stored: true }]);
      await tab.decide('sendAgain');
      expect(await readStored()).toEqual(['A']);
    });

    it.each<Way>(['notSent', 'unauthenticated'])(
      'keeps the entry when a lost answer is followed by %s',
      async (way) => {
        const { openTab, behave, readStored } = await openStage(library);
        const tab = await openTab();
        behave(['cutAfter'], way);
        await tab.create('A');
        behave([]);

        expect(await tab.list()).toHaveLength(1);
        await tab.create('A');
        expect(await readStored()).toEqual(['A']);
        expect(await tab.list()).toEqual([]);
      },
    );
  });

  it('writes once under the retries of RetryLink, with its defaults', async () => {
    const { openTab, behave, sent, readStored } = await openStage('apollo');
    const tab = await openTab('retries');
    behave(Array<Way>(6).fill('cutAfter'));

    expect(await tab.create('A')).not.toHaveProperty('error');

    expect(sent.length).toBeGreaterThan(4);
    expect(await readStored()).toEqual(['A']);
  });
});
