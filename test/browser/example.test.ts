// @module-tag chromium

import { expect, it, vi } from 'vitest';
import { typeInto } from '../support/browser.js';
import { startHoldingApi } from '../support/held-calls.js';
import { wholeStudy } from '../support/studies.js';
import { openExample } from './example.fixture.js';

vi.setConfig({ testTimeout: 30_000 });

const projectId = '123e4567-e89b-12d3-a456-426614174000';
const uuid = expect.stringMatching(/^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/);
const noStudy = '00000000-0000-0000-0000-000000000000';

it('leaves out of a new study what was not filled in', async () => {
  const { page, operations, create } = await openExample();

  await create('Why?');
  await page.getByRole('heading', { name: 'Why?' }).waitFor();

  expect(operations[0]?.variables).toEqual({
    input: { description: 'Why?' },
    idempotencyKey: uuid,
  });
});

it('clears a field, and a list', async () => {
  const { page, emulator, operations, open } = await openExample();
  const { id } = await emulator.create({ description: 'Why?', audiences: ['All'] });
  await open(id);
  await page.getByRole('button', { name: 'Edit' }).click();
  await typeInto(page.getByLabel('Question'), ' ');
  await typeInto(page.getByLabel('Audiences'), '');

  await page.getByRole('button', { name: 'Save changes' }).click();
  await page.getByRole('heading', { name: 'A study without a question' }).waitFor();

  expect(operations.at(-1)?.variables).toEqual({
    id,
    input: { description: null, audiences: [] },
    idempotencyKey: uuid,
  });
});

it('goes back to the study when an edit is called off', async () => {
  const { page, emulator, operations, open } = await openExample();
  const { id } = await emulator.create({ description: 'Why?' });
  await open(id);
  await page.getByRole('button', { name: 'Edit' }).click();
  await typeInto(page.getByLabel('Question'), 'Whatever');

  await page.getByRole('button', { name: 'Cancel' }).click();
  await page.getByRole('heading', { name: 'Why?' }).waitFor();

  expect(operations.map(({ operationName }) => operationName)).toEqual(['Study']);
});

it.for([
  ['what the gateway refuses', 'demo-token', 'not-a-uuid', 'Not sent'],
  ['what the Study API refuses', 'demo-422', projectId, 'Refused'],
] as const)('says beside its field %s', async ([, scenario, value, title]) => {
  const { page, choose, create, face } = await openExample();
  const project = page.getByLabel('Project');
  await choose(scenario);
  await typeInto(project, value);

  await create('Why?');
  await face.getByRole('heading', { name: title }).waitFor();

  expect(await project.getAttribute('aria-invalid')).toBe('true');
  expect(await project.getAttribute('aria-describedby')).toBe('projectId-error projectId-hint');
  expect(await page.locator('#projectId-error').innerText()).toMatch(/\w+/);
  expect(await project.evaluate('document.activeElement.id')).toBe('projectId');
  expect(await page.locator('[aria-invalid]').count()).toBe(1);
});

it('sends a study once, however often the button is pressed', async () => {
  const api = await startHoldingApi();
  const { page, create, countCreates } = await openExample({ studyApiUrl: api.url });
  const toWrites = () => api.arrived.filter((call) => !call.startsWith('GET'));

  await create('Why?');
  await api.holds(1);
  await page.getByText('Sending …').waitFor();
  await page.getByRole('button', { name: 'Create study' }).click({ force: true });
  await page.getByLabel('Project').press('Enter');
  api.answerNext();
  await page.getByRole('heading', { name: wholeStudy.description }).waitFor();

  expect(countCreates()).toBe(1);
  expect(toWrites()).toEqual(['POST /studies']);
});

it('says that there is no such study', async () => {
  const { page, open } = await openExample();

  await open(noStudy);

  await page.getByRole('heading', { name: 'No such study' }).waitFor();
  expect(await page.getByRole('main').innerText()).toContain(noStudy);
});

it('keeps the token over a reload, and out of the address', async () => {
  const { page, origin } = await openExample();
  await typeInto(page.getByLabel('Bearer token'), 'a-token-of-my-own');

  await page.reload();

  expect(await page.getByLabel('Bearer token').inputValue()).toBe('a-token-of-my-own');
  expect(page.url()).toBe(`${origin}/#/new`);
  expect(await page.evaluate('localStorage.length')).toBe(0);
});
