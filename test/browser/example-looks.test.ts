// @module-tag chromium

import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import axe, { type AxeResults } from 'axe-core';
import type { Page } from 'playwright-core';
import { expect, it, vi } from 'vitest';
import { currentBrowser, openPage } from '../support/browser.js';
import { allDaily, daily } from '../support/daily.js';
import { openExample } from './example.fixture.js';

vi.setConfig({ testTimeout: 120_000 });

const windows = [
  { width: 390, colorScheme: 'dark' },
  { width: 1280, colorScheme: 'light' },
  { width: 320, colorScheme: 'light' },
  { width: 1280, colorScheme: 'dark' },
] as const;

/** Returns what axe has against the page, and the pixels by which the page is wider than its window. */
async function findFaults(page: Page): Promise<object[]> {
  const found: object[] = [];
  await page.evaluate(axe.source);
  for (const { width, colorScheme } of allDaily(windows, windows.slice(0, 1))) {
    if (colorScheme === 'dark' && !currentBrowser().hasDarkColours) continue;
    await page.setViewportSize({ width, height: 800 });
    await page.emulateMedia({ colorScheme });
    const { violations, passes } = await page.evaluate<AxeResults>('axe.run()');
    expect(passes.length).toBeGreaterThan(10);
    const overflow = await page.evaluate(
      'document.documentElement.scrollWidth - document.documentElement.clientWidth',
    );
    if (overflow !== 0) found.push({ width, overflow });
    for (const { id, nodes } of violations)
      found.push({ width, colorScheme, id, nodes: nodes.map(({ html }) => html) });
  }
  await page.setViewportSize({ width: 1280, height: 800 });
  return found;
}

it('fits its window, and has nothing that axe finds a violation in', async () => {
  const { page, emulator, choose, create, open, openList, notice } = await openExample();
  const faults: Record<string, object[]> = {};
  const look = async (at: string): Promise<void> => void (faults[at] = await findFaults(page));
  await look('the form');
  await openList();
  await page.getByText('There are no studies yet').waitFor();
  await look('an empty list');
  const progress = { total: 10, completed: 4, failed: 1 };
  const { id } = await emulator.create({
    description: 'x'.repeat(200),
    status: 'running',
    progress,
  });
  await choose('demo-drift-strategy');
  await page.reload();
  await page.getByText('You see the rest.').waitFor();
  await look('a list with a broken field');
  await open(id);
  await page.locator('dl').waitFor();
  const bar = page.getByRole('progressbar');
  expect(await bar.getAttribute('aria-valuetext')).toBe('4 of 10 interviews, 1 failed');
  await look('a study with a broken field');
  await choose('demo-500');
  await page.reload();
  await notice.waitFor();
  await look('a study that could not be read');
  await page.getByRole('link', { name: 'New study' }).click();
  for (const scenario of ['', 'demo-422', 'demo-drift-missing', 'demo-cut']) {
    await choose(scenario);
    await create(`Why ${scenario}?`);
    await notice.waitFor();
    await look(`the form with ${scenario}`);
    await page.reload();
  }
  await choose('demo-token');
  await open(id);
  await page.getByRole('button', { name: 'Edit' }).click();
  await look('an edit beside an unsettled write');

  expect(faults).toEqual(Object.fromEntries(Object.keys(faults).map((at) => [at, []])));
});

it('is used by the keyboard alone', async () => {
  const { page } = await openExample();
  const tabTo = async (name: string): Promise<string[]> => {
    const passed: string[] = [];
    while (passed.at(-1) !== name && passed.length < 20) {
      await page.keyboard.press('Tab');
      const [text, outline] = await page.evaluate<[string, string]>(`(() => {
        const element = document.activeElement;
        return [(element.labels?.[0] ?? element).textContent, getComputedStyle(element).outlineStyle];
      })()`);
      expect([text, outline]).not.toEqual([text, 'none']);
      passed.push(text);
    }
    return passed;
  };

  // Every control once, from top to bottom.
  expect(await tabTo('Create study')).toEqual([
    'Scenario',
    'Run a study',
    'Studies',
    'New study',
    'Question',
    'Strategy',
    'Interviews',
    'Project, its UUID',
    'Audiences, one per line',
    'Create study',
  ]);
});

daily(() => {
  it('has a notice for each outcome, as in the README', async () => {
    const pictures: string[] = [];
    const { page, choose, create, notice } = await openExample();
    await page.setViewportSize({ width: 636, height: 800 });
    for (const scenario of ['', 'demo-403', 'demo-drift-missing', 'demo-cut']) {
      await choose(scenario);
      await create('Why do people leave?');
      await notice.waitFor();
      pictures.push((await notice.screenshot()).toString('base64'));
      await page.reload();
    }
    expect(new Set(pictures).size).toBe(4);

    const path = fileURLToPath(new URL('../../docs/images/outcomes.png', import.meta.url));
    if (currentBrowser().name !== 'chromium') return;
    if (existsSync(path) && !process.env['UPDATE_SCREENSHOTS']) return;
    const { page: gallery } = await openPage();
    await gallery.setContent(`<!doctype html><style>
      body { display: grid; grid-template-columns: 1fr 1fr; gap: 24px; align-items: start;
        margin: 0; padding: 24px; background: #f6f5f8 }
      img { max-width: 100% }
    </style>
    ${pictures.map((picture) => `<img alt="" src="data:image/png;base64,${picture}">`).join('')}`);
    await gallery.locator('body').screenshot({ path });
  });
});
