// @module-tag chromium

import type { Page } from 'playwright-core';
import { expect, it, vi } from 'vitest';
import { clickLikeAPerson, typeInto } from '../support/browser.js';
import { daily } from '../support/daily.js';
import { openExample, waitPatiently, type Example } from './example.fixture.js';

vi.setConfig({ testTimeout: 60_000 });

/** The titles of all studies that the Study API has. */
async function readStored({ emulator }: Example): Promise<unknown[]> {
  const { body } = await emulator.call('GET', '/studies');
  return (body as { items: { description: unknown }[] }).items.map(
    ({ description }) => description,
  );
}

/** Opens the form in another tab of the same browser, and fills it in. */
async function openTab({ page, origin }: Example, question: string): Promise<Page> {
  const tab = await page.context().newPage();
  await tab.goto(`${origin}/#/new`);
  await typeInto(tab.getByLabel('Question'), question);
  return tab;
}

const click = (page: Page, name: string) => clickLikeAPerson(page.getByRole('button', { name }), 2);

/** Sends a study whose answers are lost, until the page gives up. */
async function sendInVain(example: Example): Promise<void> {
  const { page, face, loseAnswers } = example;
  await page.clock.install();
  const restore = loseAnswers();
  await typeInto(page.getByLabel('Question'), 'Why?');
  await click(page, 'Create study');
  await waitPatiently(page, face.getByRole('button', { name: 'Send again' }));
  restore();
}

it('is stored once when the tab is closed and the form filled in again', async () => {
  const example = await openExample();
  await sendInVain(example);

  const tab = await openTab(example, '');
  await example.page.close();
  await tab.getByText('We do not know whether the study that you sent').waitFor();
  await typeInto(tab.getByLabel('Question'), 'Why?');
  await click(tab, 'Send again');

  await tab.getByRole('heading', { name: 'Why?' }).waitFor();
  expect(await readStored(example)).toEqual(['Why?']);
  expect(await tab.evaluate('localStorage.length')).toBe(0);
});

daily(() => {
  it('is stored once when the network is cut for three seconds', async () => {
    const example = await openExample();
    const { page, face, loseAnswers } = example;
    const restore = loseAnswers();
    await typeInto(page.getByLabel('Question'), 'Why?');
    await click(page, 'Create study');
    // The cut itself: no sign ends it.
    await page.waitForTimeout(3_000);
    expect(await face.count()).toBe(0);
    restore();

    await page.getByRole('heading', { name: 'Why?' }).waitFor();
    expect(await readStored(example)).toEqual(['Why?']);
  });

  it('is stored once when the token is renewed', async () => {
    const example = await openExample();
    const { page, choose, operations } = example;
    await sendInVain(example);
    // The other token of demo-token's caller that may read what was stored.
    await choose('demo-drift-missing');

    await click(page, 'Send again');

    await page.getByRole('heading', { name: 'Why?' }).waitFor();
    expect(await readStored(example)).toEqual(['Why?']);
    const creates = operations.filter(({ operationName }) => operationName === 'CreateStudy');
    expect(new Set(creates.map(({ variables }) => JSON.stringify(variables))).size).toBe(1);
  });

  it('is stored once when somebody goes to the list, and back', async () => {
    const example = await openExample();
    const { page, face, rows } = example;
    await sendInVain(example);
    await clickLikeAPerson(face.getByRole('link', { name: 'Show your studies' }), 2);
    await rows.first().waitFor();

    await page.goBack();
    await click(page, 'Send again');

    await page.getByRole('heading', { name: 'Why?' }).waitFor();
    expect(await readStored(example)).toEqual(['Why?']);
  });

  it('is stored once from two tabs, of which the second learns what the first has sent', async () => {
    const example = await openExample();
    const tab = await openTab(example, 'Why?');
    await sendInVain(example);

    await tab.getByText('You have sent it before').waitFor();
    await click(tab, 'Send again');

    await tab.getByRole('heading', { name: 'Why?' }).waitFor();
    expect(await readStored(example)).toEqual(['Why?']);
    // The first tab learns that there is nothing to send again.
    await example.face.getByText('it may be there already').waitFor();
  });

  it('is sent as a new one after a look, when the API failed once', async () => {
    const example = await openExample();
    const { page, face, choose, countCreates } = example;
    await choose('demo-500');
    await typeInto(page.getByLabel('Question'), 'Why?');
    await click(page, 'Create study');
    await face.waitFor();
    await choose('demo-token');
    await clickLikeAPerson(face.locator('.primary'), 2);
    await page.getByText('There are no studies yet.').waitFor();

    await page.goBack();
    await click(page, 'I have looked: send it as a new one');

    await page.getByRole('heading', { name: 'Why?' }).waitFor();
    expect(countCreates()).toBe(2);
    expect(await readStored(example)).toEqual(['Why?']);
  });
});
