// @module-tag chromium

import { describe, expect, it, vi } from 'vitest';
import { clickLikeAPerson } from '../support/browser.js';
import { openExample, waitPatiently, type Example } from './example.fixture.js';

vi.setConfig({ testTimeout: 60_000 });

/** The keys of all writes. */
function toKeys({ operations }: Pick<Example, 'operations'>): unknown[] {
  return operations.flatMap(({ variables }) =>
    'idempotencyKey' in variables ? [variables.idempotencyKey] : [],
  );
}

describe('the idempotency key of a submit', () => {
  it('is its own, whether a study is created or edited', async () => {
    const example = await openExample();
    const { page, choose, create, edit, face } = example;
    await choose('demo-422');
    await create('Why?');
    await face.waitFor();
    await choose('demo-token');
    await create('Why?');
    await page.getByRole('heading', { name: 'Why?' }).waitFor();
    await edit('When?');
    await page.getByText('Saved.').waitFor();

    expect(toKeys(example)).toHaveLength(3);
    expect(new Set(toKeys(example)).size).toBe(3);
  });

  it('goes with "Send again" when the answer was lost, so that there is one study', async () => {
    const example = await openExample();
    const { page, emulator, face, create, loseAnswers } = example;
    await page.clock.install();
    const restore = loseAnswers();
    await create('Why?');
    await waitPatiently(page, face.getByText('To send it again is safe'));
    expect(await face.locator('.primary').allInnerTexts()).toEqual(['Send again']);
    restore();

    await clickLikeAPerson(face.getByRole('button', { name: 'Send again' }), 2);

    await page.getByRole('heading', { name: 'Why?' }).waitFor();
    // Four tries by itself, and the one that was asked for.
    expect(toKeys(example)).toHaveLength(5);
    expect(new Set(toKeys(example)).size).toBe(1);
    const { body } = await emulator.call('GET', '/studies');
    expect(body).toMatchObject({ items: [{ id: page.url().split('#/studies/')[1] }] });
  });

  it('is a new one on request, when the gateway does not know either', async () => {
    const example = await openExample();
    const { choose, create, face } = example;
    const asNew = face.getByRole('button', { name: 'send it as a new one' });
    await choose('demo-cut');
    await create('Why?');
    await asNew.waitFor();
    expect(await face.innerText()).toContain('Please look before');
    expect(await face.locator('.primary').allInnerTexts()).toEqual(['Show your studies']);
    expect(await face.getByRole('button', { name: 'Send again' }).count()).toBe(0);

    await asNew.click();

    await expect.poll(() => toKeys(example).length).toBe(2);
    expect(new Set(toKeys(example)).size).toBe(2);
  });
});

describe('an automatic retry that waits', () => {
  it('counts the seconds, and sends the same write then', async () => {
    const example = await openExample();
    const { page, choose, create } = example;
    await page.clock.install({ time: new Date('2026-03-01T09:30:00Z') });
    await choose('demo-429');
    await create('Why?');
    const waiting = page.getByRole('region', { name: 'Automatic retry' });
    await waiting.waitFor();

    const timer = waiting.getByRole('timer');
    expect(await timer.innerText()).toMatch(/^([789]|10) s$/);
    await page.clock.fastForward(5_000);
    await expect.poll(() => timer.innerText()).toMatch(/^[2345] s$/);
    expect(toKeys(example)).toHaveLength(1);
    await choose('demo-token');
    await page.clock.fastForward(10_000);

    await page.getByRole('heading', { name: 'Why?' }).waitFor();
    // A new key: the outcome of the first write is known.
    expect(new Set(toKeys(example)).size).toBe(2);
    const inputs = example.operations.flatMap(({ variables }) =>
      'input' in variables ? [variables.input] : [],
    );
    expect(inputs).toEqual([{ description: 'Why?' }, { description: 'Why?' }]);
  });

  it('is cancelled by the keyboard, and the face says what became of it', async () => {
    const example = await openExample();
    const { page, choose, create, face } = example;
    await choose('demo-429');
    await create('Why?');
    const cancel = page.getByRole('button', { name: 'Cancel the retry' });
    await cancel.focus();
    await page.keyboard.press('Enter');

    await face.getByRole('heading', { name: 'Refused by the Study API' }).waitFor();
    expect(await page.evaluate('document.activeElement.getAttribute("role")')).toBe('alert');
    expect(await cancel.count()).toBe(0);
    expect(toKeys(example)).toHaveLength(1);
  });

  it('says so of a read too', async () => {
    const { page, emulator, choose, open, face } = await openExample();
    const { id } = await emulator.create({ description: 'Why?' });
    await choose('demo-429');
    await open(id);
    await page.getByText('Waiting to read it again').waitFor();

    await clickLikeAPerson(page.getByRole('button', { name: 'Cancel the retry' }), 0);

    await face.getByRole('heading', { name: 'The study could not be read' }).waitFor();
    expect(await page.getByText('Waiting').count()).toBe(0);
  });
});
