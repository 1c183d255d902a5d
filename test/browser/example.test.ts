// @module-tag chromium

import { expect, it, vi } from 'vitest';
import { scenarios } from 'study-gateway-emulator';
import { scenarios as shown } from '../../examples/react/src/scenarios.js';
import { clickLikeAPerson, typeInto } from '../support/browser.js';
import { allDaily } from '../support/daily.js';
import { startHoldingApi } from '../support/held-calls.js';
import { openExample, type Example } from './example.fixture.js';
import { hurry } from './lost-answers.fixture.js';

vi.setConfig({ testTimeout: 60_000 });

const uuid = expect.stringMatching(/^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/);
const patient = { timeout: 10_000 };

/** Returns the questions of all studies that the Study API has, the newest first. */
async function readStored({ emulator }: Example): Promise<unknown[]> {
  const { body } = await emulator.call('GET', '/studies');
  return (body as { items: { description: unknown }[] }).items.map(
    ({ description }) => description,
  );
}

const refused = 'Refused by the Study API';
const unreadable = 'This could not be read';
const button = ({ page }: Example, name: string) => page.getByRole('button', { name });

it('sends what was filled in, once, however often the button is pressed', async () => {
  const api = await startHoldingApi();
  const example = await openExample({ studyApiUrl: api.url });
  const { page, create, sent } = example;

  await create('Why?');
  await api.holds(1);
  await page.getByText('Sending …').waitFor();
  await button(example, 'Create study').click({ force: true });
  await page.getByLabel('Project').press('Enter');
  api.answerNext();
  await page.waitForURL(/studies/);

  expect(sent('CreateStudy').map(({ variables }) => variables)).toEqual([
    { input: { description: 'Why?' }, idempotencyKey: uuid },
  ]);
});

it('sends what was changed, clears a field and a list, and shows what is stored after a conflict', async () => {
  const example = await openExample();
  const { page, emulator, sent, open, choose, edit, notice } = example;
  const { id } = await emulator.create({ description: 'Why?', audiences: ['All'] });
  await open(id);
  await button(example, 'Edit').click();
  await typeInto(page.getByLabel('Question'), ' ');
  await typeInto(page.getByLabel('Audiences'), '');
  await button(example, 'Save changes').click();
  const heading = page.getByRole('heading', { name: 'A study without a question', level: 1 });
  await heading.waitFor();
  const input = { description: null, audiences: [] };
  expect(sent('EditStudy')[0]?.variables).toEqual({ id, input, idempotencyKey: uuid });

  await choose('demo-409');
  await edit('After');
  await notice.getByRole('heading', { name: refused }).waitFor();
  await choose('demo-token');
  await button(example, 'Cancel').click();

  await heading.waitFor();
  expect(await notice.count()).toBe(0);
});

it('marks the field that was refused', async () => {
  const { page, choose, create, notice } = await openExample();
  for (const [scenario, value, title] of [
    ['demo-token', 'not-a-uuid', 'Not sent'],
    ['demo-422', '123e4567-e89b-12d3-a456-426614174000', 'Refused'],
  ] as const) {
    await choose(scenario);
    await typeInto(page.getByLabel('Project'), value);

    await create('Why?');
    await notice.getByRole('heading', { name: title }).waitFor();

    const project = page.locator('[aria-invalid]');
    expect(await project.getAttribute('aria-describedby')).toBe('projectId-error');
    expect(await page.locator('#projectId-error').innerText()).toMatch(/\w+/);
    expect(await page.evaluate('document.activeElement.id')).toBe('projectId');
  }
});

const damaged = 'Stored, but the answer was damaged';
const unknown = 'We do not know whether the study was stored';
const notices: Readonly<Record<string, readonly [title: string, code: string]>> = {
  '': ['Not sent: nothing has changed', 'UNAUTHENTICATED'],
  'demo-401': [refused, 'UNAUTHENTICATED'],
  'demo-403': [refused, 'FORBIDDEN'],
  'demo-404': [refused, 'NOT_FOUND'],
  'demo-409': [refused, 'CONFLICT'],
  'demo-422': [refused, 'BAD_USER_INPUT'],
  'demo-429': [refused, 'RATE_LIMITED'],
  'demo-500': [unknown, 'UPSTREAM_ERROR'],
  'demo-503': [unknown, 'UPSTREAM_ERROR'],
  'demo-hang': [unknown, 'UPSTREAM_TIMEOUT'],
  'demo-cut': [unknown, 'UPSTREAM_UNAVAILABLE'],
  'demo-drift-missing': [damaged, 'UPSTREAM_CONTRACT'],
  'demo-drift-strategy': [damaged, 'UPSTREAM_CONTRACT'],
};

it('says of each failure what became of the study', async () => {
  const example = await openExample({ deadlineMs: 2_000 });
  const { page, choose, create, notice } = example;
  const chosen = allDaily(Object.keys(notices), ['', 'demo-403', 'demo-drift-missing', 'demo-cut']);
  const seen: Record<string, readonly [string, string]> = {};
  for (const scenario of chosen) {
    await choose(scenario);
    await create(`Why ${scenario}?`);
    await notice.getByText('For support').waitFor();
    const code = notice.getByRole('code').first();
    seen[scenario] = [await notice.getByRole('heading').innerText(), await code.innerText()];
    // The id by which the gateway's log can be searched.
    expect(await notice.getByRole('code').nth(1).innerText()).toEqual(uuid);
    if (scenario === 'demo-403') await notice.getByText('Not enough permissions').waitFor();
    if (scenario === 'demo-drift-missing') {
      await choose('demo-token');
      await notice.getByRole('link').click();
      await page.getByRole('heading', { name: `Why ${scenario}?` }).waitFor();
      await page.goBack();
    }
    if (await button(example, 'It is there').count()) await button(example, 'It is there').click();
    await page.reload();
  }

  expect(notices).toMatchObject(seen);
  expect(Object.keys(seen)).toEqual(chosen);
});

it('knows every scenario of the emulator', () => {
  expect([...shown.keys()]).toEqual(['demo-token', '', ...scenarios.map(({ token }) => token)]);
});

it('says what became of a decision, and keeps a lost create over a reload, on every page', async () => {
  const example = await openExample();
  const { page, choose, create, notice, openList, sent } = example;
  await choose('demo-500');
  await create('Refused');
  await button(example, 'Not there: send as new').waitFor();
  await choose('demo-422');
  await button(example, 'Not there: send as new').click();
  await notice.getByRole('heading', { name: refused }).waitFor();
  expect(await readStored(example)).toEqual([]);
  const { length: before } = sent('CreateStudy');

  await choose('demo-500');
  await create('Why?');
  await notice.getByRole('heading', { name: unknown }).waitFor();
  expect(await page.evaluate('document.activeElement.textContent')).toContain(unknown);
  expect(await page.getByLabel('Question').inputValue()).toBe('');
  await choose('demo-token');
  await page.reload();
  await typeInto(page.getByLabel('Question'), 'Something else');
  await openList();
  await page.getByText('There are no studies yet').waitFor();
  await notice.getByText('“Why?”').waitFor();

  await clickLikeAPerson(button(example, 'Not there: send as new'), 2);

  await page.getByText('It is stored.').waitFor();
  expect(await notice.count()).toBe(0);
  expect(await readStored(example)).toEqual(['Why?']);
  await page.getByRole('link', { name: 'Why?' }).waitFor();
  const keys = sent('CreateStudy').map(({ variables }) => variables['idempotencyKey']);
  expect(new Set(keys.slice(before)).size).toBe(2);
  await expect.poll(() => page.evaluate('localStorage.length')).toBe(0);
});

it('grows a list page by page, which a running study does not shorten', async () => {
  const example = await openExample();
  const { page, emulator, rows, openList, sent, complaints } = example;
  await hurry(page);
  await page.reload();
  for (let number = 1; number <= 12; number++) await emulator.create({ description: `${number}.` });
  const input = { description: 'Running', interviewCount: 20 };
  await emulator.call('POST', '/studies', input, { authorization: 'Bearer demo-running' });
  await openList();
  await expect.poll(() => rows.count(), patient).toBe(10);
  await clickLikeAPerson(button(example, 'Show more'), 2);
  await expect.poll(() => rows.count(), patient).toBe(13);
  expect(await button(example, 'Show more').count()).toBe(0);

  // One request reads all rows.
  const reads = () => sent('StudiesProgress').at(-1)?.variables;
  await expect.poll(reads, patient).toEqual({ size: 20 });
  const done = async () =>
    Number(await page.getByRole('progressbar').getAttribute('aria-valuenow'));
  const before = await done();
  await expect.poll(done, patient).toBeGreaterThan(before);

  expect(await rows.count()).toBe(13);
  expect(complaints).toEqual([]);
});

it('reads a list and a study again after a failure, and keeps what it has', async () => {
  const example = await openExample();
  const { page, emulator, choose, open, openList, rows, notice } = example;
  for (let number = 1; number <= 11; number++) await emulator.create({ description: `${number}.` });
  await choose('demo-500');
  await openList();
  await notice.getByRole('heading', { name: unreadable }).waitFor();
  await choose('demo-token');
  await button(example, 'Read again').click();
  await expect.poll(() => rows.count(), patient).toBe(10);
  await choose('demo-500');
  await button(example, 'Show more').click();
  await notice.getByRole('heading', { name: unreadable }).waitFor();
  await choose('demo-token');
  await button(example, 'Read again').click();
  await expect.poll(() => rows.count(), patient).toBe(11);

  await choose('demo-500');
  await open('00000000-0000-0000-0000-000000000000');
  await notice.getByRole('heading', { name: unreadable }).waitFor();
  await choose('demo-token');
  await button(example, 'Read again').click();
  await page.getByText('There is no study').waitFor();
  await choose('demo-500');
  await openList();
  await page.getByText('What you see may be old').waitFor();
  expect(await rows.count()).toBe(11);

  await choose('demo-drift-strategy');
  await page.reload();
  await page.getByText('Something here could not be read').waitFor();
  await page.getByRole('link', { name: '11.' }).click();
  // The cache shows the study at once, and knows nothing of the error.
  const facts = page.locator('dl');
  await expect.poll(() => facts.innerText()).toMatch(/^Strategy\s+It could not be read\./);
});
