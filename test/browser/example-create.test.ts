// @module-tag chromium

import { expect, it, vi } from 'vitest';
import { clickLikeAPerson, typeInto } from '../support/browser.js';
import { openExample, takeScreenshot } from './example.fixture.js';

vi.setConfig({ testTimeout: 60_000 });

const projectId = '123e4567-e89b-12d3-a456-426614174000';

it('creates a study, shows it after a reload, and edits it', async () => {
  const { page, origin, emulator, operations, edit, foreign, complaints } = await openExample();
  const question = 'Why do people give up halfway through the sign-up?';
  await typeInto(page.getByLabel('Project'), projectId);
  await page.getByLabel('Strategy').selectOption('Problem exploration');
  await typeInto(page.getByLabel('Interviews'), '12');
  await typeInto(page.getByLabel('Audiences'), 'People who left at step two\nPeople who came back');
  await typeInto(page.getByLabel('Problems'), 'It asks for too much');
  await typeInto(page.getByLabel('Question'), question);
  await takeScreenshot(page, 'example-create.png');

  await clickLikeAPerson(page.getByRole('button', { name: 'Create study' }), 2);
  await page.getByRole('heading', { name: question }).waitFor();

  const [, id] = page.url().split(`${origin}/#/studies/`);
  const stored = async () => (await emulator.call('GET', `/studies/${id}`)).body;
  expect(await stored()).toMatchObject({
    description: question,
    projectId,
    strategy: 'problem_exploration',
    interviewCount: 12,
    audiences: ['People who left at step two', 'People who came back'],
    problems: ['It asks for too much'],
  });
  // The page has shown what the answer to the mutation has told, and reads it again.
  await expect
    .poll(() => operations.map(({ operationName }) => operationName))
    .toEqual(['CreateStudy', 'Study']);

  await page.reload();
  await page.getByText('People who came back').waitFor();
  await edit('Why do people give up at step two?');
  await page.getByRole('heading', { name: 'Why do people give up at step two?' }).waitFor();
  await page.getByText('Saved.').waitFor();

  expect(operations.at(-1)).toMatchObject({
    operationName: 'EditStudy',
    variables: { id, input: { description: 'Why do people give up at step two?' } },
  });
  expect(operations.at(-1)?.variables).toHaveProperty('input', {
    description: 'Why do people give up at step two?',
  });
  expect(await stored()).toMatchObject({
    description: 'Why do people give up at step two?',
    projectId,
    interviewCount: 12,
  });
  await page.emulateMedia({ colorScheme: 'dark' });
  await takeScreenshot(page, 'example-study.png');
  expect({ foreign, complaints }).toEqual({ foreign: [], complaints: [] });
});
