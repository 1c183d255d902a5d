// @module-tag chromium

import axe, { type AxeResults } from 'axe-core';
import type { Page } from 'playwright-core';
import { expect, it, vi } from 'vitest';
import { allDaily, daily, everyNth } from '../support/daily.js';
import { openExample } from './example.fixture.js';

vi.setConfig({ testTimeout: 60_000 });

const colours = { runOnly: ['color-contrast', 'link-in-text-block'] };

/** The rules of axe to run, and how many of them a page must pass. In dark colours the same page has nothing new but them. */
const schemes = [
  { width: 1280, colorScheme: 'light', rules: {}, least: 11 },
  { width: 1280, colorScheme: 'dark', rules: colours, least: 1 },
  { width: 390, colorScheme: 'light', rules: {}, least: 11 },
  { width: 390, colorScheme: 'dark', rules: colours, least: 1 },
] as const;

/** What axe has against the page as it is, in a wide and a narrow window, in light and in dark colours. */
async function findViolations(page: Page): Promise<object[]> {
  const found: object[] = [];
  await page.evaluate(axe.source);
  const size = page.viewportSize() ?? { width: 1280, height: 800 };
  for (const { width, colorScheme, rules, least } of allDaily(schemes, [schemes[0]])) {
    await page.setViewportSize({ ...size, width });
    await page.emulateMedia({ colorScheme });
    const { violations, passes } = await page.evaluate<AxeResults>(
      `axe.run(${JSON.stringify(rules)})`,
    );
    expect(passes.length).toBeGreaterThanOrEqual(least);
    for (const { id, nodes } of violations)
      found.push({
        width,
        colorScheme,
        id,
        nodes: nodes.map(({ html, failureSummary }) => [html, failureSummary]),
      });
  }
  await page.setViewportSize(size);
  await page.emulateMedia({ colorScheme: 'light' });
  return found;
}

interface Focused {
  readonly name: string;
  readonly isVisible: boolean;
}

const focused = `(() => {
  const element = document.activeElement;
  const { outlineStyle, outlineWidth } = getComputedStyle(element);
  return {
    name: (element.labels?.[0] ?? element).textContent,
    isVisible: outlineStyle !== 'none' && outlineWidth !== '0px' && element.checkVisibility(),
  };
})()`;

/** Presses Tab until the focus is on what has this name, and returns what it passed, the last one included. */
async function tabTo(page: Page, name: string, key = 'Tab'): Promise<string[]> {
  const passed: string[] = [];
  while (passed.at(-1) !== name && passed.length < 30) {
    await page.keyboard.press(key);
    const { isVisible, ...on } = await page.evaluate<Focused>(focused);
    expect({ ...on, isVisible }).toEqual({ ...on, isVisible: true });
    passed.push(on.name);
  }
  expect(passed.at(-1)).toBe(name);
  return passed;
}

it('is used by the keyboard alone', async () => {
  const { page, emulator, face } = await openExample();
  const title = async (): Promise<unknown> => page.evaluate('document.activeElement.textContent');

  // Every control once, from top to bottom.
  expect(await tabTo(page, 'Bearer token')).toEqual([
    'Studies',
    'New study',
    'Question',
    'Project',
    'Strategy',
    'Interviews',
    'Audiences',
    'Problems',
    'Create study',
    'Scenario',
    'Bearer token',
  ]);
  // What a field holds is selected when Tab comes to it.
  await page.keyboard.type('demo-422');
  await tabTo(page, 'Question', 'Shift+Tab');
  await page.keyboard.type('Why?');
  await tabTo(page, 'Create study');
  await page.keyboard.press('Enter');

  await face.waitFor();
  expect(await page.evaluate(focused)).toEqual({ name: 'Project', isVisible: true });
  await tabTo(page, 'Bearer token');
  await page.keyboard.type('demo-cut');
  await tabTo(page, 'Create study', 'Shift+Tab');
  await page.keyboard.press('Space');

  await face.getByText('We do not know').waitFor();
  expect(await title()).toContain('We do not know');
  await tabTo(page, 'Bearer token');
  await page.keyboard.type('demo-token');
  await tabTo(page, 'I have looked: send it as a new one', 'Shift+Tab');
  await page.keyboard.press('Enter');

  await page.getByRole('heading', { name: 'Why?' }).waitFor();
  expect(await tabTo(page, 'Edit')).toEqual(['Edit']);
  await page.keyboard.press('Enter');
  expect(await tabTo(page, 'Project')).toEqual(['Question', 'Project']);
  await tabTo(page, 'Question', 'Shift+Tab');
  await page.keyboard.type(' And when?');
  await tabTo(page, 'Save changes');
  await page.keyboard.press('Space');

  await page.getByText('Saved.').waitFor();
  expect(await title()).toContain('And when?');
  const [, id] = page.url().split('#/studies/');
  expect((await emulator.call('GET', `/studies/${id}`)).body).toMatchObject({
    description: expect.stringContaining('And when?'),
  });
  expect(await tabTo(page, 'Edit')).toEqual(['Edit']);
});

daily(() => {
  it('is used by the keyboard alone in the list too', async () => {
    const { page, emulator, openList, rows } = await openExample();
    for (let number = 1; number <= 12; number++)
      await emulator.create({ description: `${number}.` });
    await openList();
    await rows.first().waitFor();
    await page.getByLabel('Bearer token').focus();

    expect(await tabTo(page, 'Show more', 'Shift+Tab')).toEqual(['Scenario', 'Show more']);
    await page.keyboard.press('Enter');
    // What has come has the focus: the button has gone.
    await expect.poll(() => page.evaluate(focused)).toEqual({ name: '2.', isVisible: true });
    expect(await tabTo(page, 'Scenario')).toEqual(['1.', 'Scenario']);
    await tabTo(page, '3.', 'Shift+Tab');
    await page.keyboard.press('Enter');

    await page.getByRole('heading', { name: '3.' }).waitFor();
    expect(await tabTo(page, 'Edit')).toEqual(['Edit']);
  });
});

it('has nothing that axe finds a violation in', async () => {
  const { page, emulator, choose, create, open, openList, rows, edit, face } = await openExample();
  const { id } = await emulator.create({ description: 'Why?', audiences: ['All'] });
  const violations: Record<string, object[]> = {};
  const look = async (where: string): Promise<void> => {
    violations[where] = await findViolations(page);
  };
  await look('the form');
  await openList();
  await rows.first().waitFor();
  await look('the list');
  await choose('demo-drift-strategy');
  await page.reload();
  await page.getByText('could not be read').waitFor();
  await look('a list with something that could not be read');
  await choose('demo-500');
  await page.reload();
  await face.waitFor();
  await look('a list that could not be read');
  await choose('demo-token');
  await page.getByRole('link', { name: 'New study' }).click();
  for (const scenario of everyNth(4, [
    'demo-422',
    '',
    'demo-409',
    'demo-drift-missing',
    'demo-cut',
  ])) {
    await choose(scenario);
    await create(`Why ${scenario}?`);
    await face.waitFor();
    await look(`the form with ${scenario}`);
    await page.reload();
  }

  await choose('demo-429');
  await create('Why?');
  await page.getByText('Waiting to send it again').waitFor();
  await look('a retry that waits');
  await page.reload();

  await choose('demo-token');
  await open(id);
  await page.getByRole('heading', { name: 'Why?' }).waitFor();
  await look('a study');
  await choose('demo-500');
  await edit('When?');
  await face.waitFor();
  await look('an edit that failed');
  await face.getByRole('button', { name: 'Show what is stored' }).click();
  await page.getByText('could not be read again').waitFor();
  await look('an edit and a read that failed');
  await page.reload();
  await face.waitFor();
  await look('a study that could not be read');
  await choose('demo-token');
  await open('00000000-0000-0000-0000-000000000000');
  await page.getByRole('heading', { name: 'No such study' }).waitFor();
  await look('no study');

  expect(violations).toEqual(Object.fromEntries(Object.keys(violations).map((name) => [name, []])));
});

it.for(allDaily([320, 390], [320]))('fits a window of %i px', async (narrow) => {
  const { page, emulator, open, openList, rows, choose, create, face } = await openExample();
  await emulator.create({
    description: 'x'.repeat(200),
    status: 'running',
    strategy: 'ethnographic_research',
  });
  const { id } = await emulator.create({ description: 'Why?', audiences: ['x'.repeat(200)] });
  await page.setViewportSize({ width: narrow, height: 640 });
  const width = (): Promise<unknown> => page.evaluate('document.documentElement.scrollWidth');

  await openList();
  await rows.first().waitFor();
  expect(await width()).toBe(narrow);
  await page.getByRole('link', { name: 'New study' }).click();
  await choose('demo-429');
  await create('Why?');
  await page.getByText('Waiting to send it again').waitFor();
  expect(await width()).toBe(narrow);
  await page.getByRole('button', { name: 'Cancel the retry' }).click();
  await face.waitFor();
  await choose('demo-drift-missing');
  await page.getByRole('button', { name: 'Create study' }).click();
  await face.getByRole('link').waitFor();
  expect(await width()).toBe(narrow);

  await choose('demo-token');
  await open(id);
  await page.getByRole('heading', { name: 'Why?' }).waitFor();
  expect(await width()).toBe(narrow);
});
