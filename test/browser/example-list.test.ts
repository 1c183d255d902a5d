// @module-tag chromium

import { describe, expect, it, vi } from 'vitest';
import { placeholderId } from '../../src/graphql/example.js';
import { clickLikeAPerson, currentBrowser } from '../support/browser.js';
import { allDaily, daily } from '../support/daily.js';
import { answerJson, startStudyApi } from '../support/study-api.js';
import { toPage, wholeStudy } from '../support/studies.js';
import { openExample, takeScreenshot, type Example } from './example.fixture.js';

vi.setConfig({ testTimeout: 60_000 });

const questions = [
  'Why do people give up halfway through the sign-up?',
  'What would make teachers recommend us to a colleague?',
  'How do nurses hand over a shift when nobody has time for it?',
];
const strategies = ['problem_exploration', 'concept_study', 'dynamic_interview'];

const toTitle = (number: number) => `${questions[number % questions.length]} (${number})`;

/** Studies as an emulator has them after some time; the newest is the last. */
async function fill({ emulator }: Example, count: number): Promise<void> {
  for (let number = 1; number <= count; number++)
    await emulator.create({
      description: toTitle(number),
      status: number % 3 === 0 ? 'completed' : 'running',
      strategy: strategies[number % strategies.length],
      createdAt: `2026-03-${String(number).padStart(2, '0')}T09:30:00Z`,
    });
}

/** The numbers of the titles in the list, from top to bottom. */
async function readNumbers({ rows }: Example): Promise<number[]> {
  const titles = await rows.getByRole('link').allInnerTexts();
  return titles.map((title) => Number(/\((\d+)\)$/.exec(title)?.[1]));
}

const patient = { timeout: 10_000 };
const countdown = (from: number, to: number) =>
  Array.from({ length: from - to + 1 }, (_, index) => from - index);

const showMore = ({ page }: Example) => page.getByRole('button', { name: 'Show more' });
const toNames = ({ operations }: Example) => operations.map(({ operationName }) => operationName);

describe('the list', () => {
  it('is where the app begins, and grows page by page', async () => {
    const example = await openExample();
    const { page, origin, operations, foreign, complaints } = example;
    await fill(example, 23);
    await page.goto('about:blank');
    await page.goto(origin);
    await page.getByRole('heading', { name: 'Studies', level: 1 }).waitFor();
    await expect.poll(() => readNumbers(example), patient).toEqual(countdown(23, 14));
    await page.getByText('10 of 23').waitFor();

    await clickLikeAPerson(showMore(example), 2);
    await expect.poll(() => readNumbers(example), patient).toEqual(countdown(23, 4));
    await clickLikeAPerson(showMore(example), 0);
    await expect.poll(() => readNumbers(example), patient).toEqual(countdown(23, 1));

    expect(await showMore(example).count()).toBe(0);
    await page.getByText('23 of 23').waitFor();
    expect(operations.map(({ variables }) => variables)).toEqual([
      { size: 10 },
      { size: 10, page: 2 },
      { size: 10, page: 3 },
    ]);
    expect({ foreign, complaints }).toEqual({ foreign: [], complaints: [] });
  });

  it('opens a study, and is as it was, with its edit, when somebody comes back', async () => {
    const example = await openExample();
    const { page, openList, edit } = example;
    await fill(example, 12);
    await openList();
    await expect.poll(() => readNumbers(example), patient).toEqual(countdown(12, 3));
    await page.mouse.move(0, 0);
    await takeScreenshot(page, 'example-list.png');
    await clickLikeAPerson(showMore(example), 1);
    await expect.poll(() => readNumbers(example), patient).toEqual(countdown(12, 1));

    const row = page.getByRole('link', { name: toTitle(2) });
    await row.scrollIntoViewIfNeeded();
    const scrolled = await page.evaluate('scrollY');
    await clickLikeAPerson(row, 1);
    await page.getByRole('heading', { name: toTitle(2) }).waitFor();
    await edit(toTitle(200));
    await page.getByText('Saved.').waitFor();
    await page.goBack();

    await expect.poll(() => readNumbers(example), patient).toEqual([...countdown(12, 3), 200, 1]);
    expect(await page.evaluate('[document.activeElement.textContent, scrollY]')).toEqual([
      toTitle(200),
      scrolled,
    ]);
    // The page shows the list that it knows before it asks again.
    await expect
      .poll(() => toNames(example), patient)
      .toEqual(['StudyList', 'StudyList', 'Study', 'EditStudy', 'StudyList']);
  });

  daily(() => {
    it('begins with the new study after a create, and has nothing twice', async () => {
      const example = await openExample();
      const { page, openList, create } = example;
      await fill(example, 11);
      await openList();
      await expect.poll(() => readNumbers(example), patient).toEqual(countdown(11, 2));
      await showMore(example).click();
      await expect.poll(() => readNumbers(example), patient).toEqual(countdown(11, 1));
      await page.getByRole('link', { name: 'New study' }).click();
      await page.getByRole('heading', { name: 'New study' }).waitFor();
      // A new page is shown from its top.
      await expect.poll(() => page.evaluate('scrollY'), patient).toBe(0);
      expect(await page.evaluate('document.activeElement.tagName')).toBe('MAIN');
      await create(toTitle(12));
      await page.getByRole('heading', { name: toTitle(12) }).waitFor();

      await openList();

      await expect.poll(() => readNumbers(example), patient).toEqual(countdown(12, 3));
      await showMore(example).click();
      await expect.poll(() => readNumbers(example), patient).toEqual(countdown(12, 1));
    });

    it('says that there is nothing yet, and leads to the form', async () => {
      const { page, openList } = await openExample();
      await openList();

      await page.getByRole('link', { name: 'Create the first one' }).click();

      await page.getByRole('heading', { name: 'New study' }).waitFor();
      expect(page.url()).toContain('#/new');
    });
  });
});

describe('a list with drift', () => {
  it.for(
    allDaily(
      [
        ['demo-drift-missing', false],
        ['demo-drift-strategy', true],
      ],
      [['demo-drift-strategy', true]],
    ),
  )('shows every study after %s', async ([scenario, isNoted]) => {
    const example = await openExample();
    const { page, choose, openList, complaints } = example;
    await fill(example, 12);
    await choose(scenario);
    await openList();
    await expect.poll(() => readNumbers(example), patient).toEqual(countdown(12, 3));
    await showMore(example).click();
    await expect.poll(() => readNumbers(example), patient).toEqual(countdown(12, 1));
    await page.reload();
    await expect.poll(() => readNumbers(example), patient).toEqual(countdown(12, 3));

    const note = page.getByText('Something about these studies could not be read');
    await expect.poll(() => note.count()).toBe(isNoted ? 1 : 0);
    expect(complaints).toEqual([]);
  });

  it('leads to a study that shows all but the field of another type', async () => {
    const example = await openExample();
    const { page, choose, openList, complaints } = example;
    await fill(example, 1);
    await choose('demo-drift-strategy');
    await openList();

    await page.getByRole('link', { name: toTitle(1) }).click();
    await page.getByText('You see the rest.').waitFor();

    await page.getByRole('heading', { name: toTitle(1) }).waitFor();
    const facts = await page.locator('.facts').innerText();
    expect(facts).toMatch(/^Strategy\s+It could not be read\.\s+Interviews\s+None\s/);
    expect(complaints).toEqual([]);
  });

  it('has a line for a study that could not be read', async () => {
    const toStudy = (number: number, id: unknown) =>
      Object.assign({}, wholeStudy, { id, description: toTitle(number) });
    const items = [toStudy(3, placeholderId), toStudy(2, 7), toStudy(1, wholeStudy.id)];
    const api = await startStudyApi(answerJson(toPage(items)));
    const example = await openExample({ studyApiUrl: api.url });
    const { openList, rows } = example;

    await openList();

    await expect.poll(() => readNumbers(example), patient).toEqual([3, 1]);
    expect(await rows.nth(1).innerText()).toBe('A study is here that could not be read.');
  });
});

describe('a list that could not be read', () => {
  it('says so after each failure, and is read again', async () => {
    const failures = {
      'demo-401': 'UNAUTHENTICATED',
      'demo-422': 'BAD_USER_INPUT',
      'demo-500': 'UPSTREAM_ERROR',
      'demo-503': 'UPSTREAM_ERROR',
      'demo-hang': 'UPSTREAM_TIMEOUT',
      'demo-cut': 'UPSTREAM_UNAVAILABLE',
    };
    const example = await openExample({ deadlineMs: 1_000 });
    const { page, origin, choose, openList, face } = example;
    await fill(example, 1);
    const seen: Record<string, string> = {};
    const scenarios = allDaily(Object.keys(failures), ['demo-500', 'demo-hang']);
    for (const scenario of scenarios) {
      await page.goto(`${origin}/#/new`);
      // The reload drops the list that the page has read.
      await page.reload();
      await choose(scenario);
      await openList();
      await face.getByRole('heading', { name: 'The studies could not be read' }).waitFor();
      seen[scenario] = await face.getByRole('code').first().innerText();
      await choose('demo-token');

      await face.getByRole('button', { name: 'Read it again' }).click();

      await expect.poll(() => readNumbers(example), patient).toEqual([1]);
      expect(await face.count()).toBe(0);
    }
    expect(failures).toMatchObject(seen);
    expect(Object.keys(seen)).toEqual(scenarios);
  });

  daily(() => {
    it('says until when it waits, and can be told not to', async () => {
      const example = await openExample();
      const { page, operations, choose, openList, face } = example;
      await choose('demo-429');
      await openList();
      await page.getByText('Waiting to read it again').waitFor();

      await page.getByRole('button', { name: 'Cancel the retry' }).click();

      await face.getByRole('heading', { name: 'The studies could not be read' }).waitFor();
      expect(operations).toHaveLength(1);
    });

    it('says so below the list when it waits for the next page', async () => {
      const example = await openExample();
      const { page, choose, openList, face } = example;
      await fill(example, 11);
      await openList();
      await expect.poll(() => readNumbers(example), patient).toEqual(countdown(11, 2));
      await choose('demo-429');
      await showMore(example).click();
      await page.locator('.studies + .face').getByText('Waiting to read it again').waitFor();

      await page.getByRole('button', { name: 'Cancel the retry' }).click();

      await face.getByRole('heading', { name: 'The next studies could not be read' }).waitFor();
      expect(await readNumbers(example)).toEqual(countdown(11, 2));
    });

    it('stays as it was, and says that it may be old', async () => {
      const example = await openExample();
      const { page, choose, openList } = example;
      await fill(example, 2);
      await openList();
      await expect.poll(() => readNumbers(example), patient).toEqual([2, 1]);
      await page.getByRole('link', { name: 'New study' }).click();
      await choose('demo-500');

      await openList();

      await page.getByText('What you see may be old').waitFor();
      expect(await readNumbers(example)).toEqual([2, 1]);
    });
  });

  it.for(allDaily(['the Study API fails', 'the connection is lost'], ['the connection is lost']))(
    'keeps its first page when %s, and reads the next one on request',
    async (fault) => {
      const example = await openExample();
      const { page, choose, openList, face, complaints } = example;
      await fill(example, 11);
      await openList();
      await expect.poll(() => readNumbers(example), patient).toEqual(countdown(11, 2));
      const isLost = fault === 'the connection is lost';
      if (isLost) await page.route('**/graphql', (route) => route.abort('connectionreset'));
      else await choose('demo-500');
      await showMore(example).click();
      await face.getByRole('heading', { name: 'The next studies could not be read' }).waitFor();
      expect(await readNumbers(example)).toEqual(countdown(11, 2));
      await (isLost ? page.unroute('**/graphql') : choose('demo-token'));

      await face.getByRole('button', { name: 'Read it again' }).click();

      await expect.poll(() => readNumbers(example), patient).toEqual(countdown(11, 1));
      expect(await face.count()).toBe(0);
      expect(complaints.filter((text) => !currentBrowser().lostRequest.test(text))).toEqual([]);
    },
  );
});

describe('a study whose fate is not known', () => {
  it('is looked for in the list, and settled where it was left', async () => {
    const example = await openExample();
    const { page, operations, choose, create, openList, face } = example;
    await fill(example, 1);
    // It is stored, and nobody hears of it.
    await choose('demo-cut');
    await create(toTitle(2));
    await face.getByText('it may be there already').waitFor();
    await choose('demo-token');

    await clickLikeAPerson(face.getByRole('link', { name: 'Show your studies' }), 2);
    await expect.poll(() => readNumbers(example), patient).toEqual([2, 1]);
    await page.goBack();

    expect(await page.getByLabel('Question').inputValue()).toBe(toTitle(2));
    await face.getByRole('button', { name: 'It is there: begin another study' }).click();
    expect(await page.getByLabel('Question').inputValue()).toBe('');
    await openList();
    await expect.poll(() => readNumbers(example), patient).toEqual([2, 1]);
    const keys = operations.flatMap(({ variables }) =>
      'idempotencyKey' in variables ? [variables.idempotencyKey] : [],
    );
    expect(keys).toHaveLength(1);
  });

  daily(() => {
    it('is in the list at once when its answer comes while somebody looks', async () => {
      const example = await openExample();
      const { page, choose, create, openList } = example;
      await fill(example, 1);
      await page.clock.install();
      await choose('demo-429');
      await create(toTitle(2));
      await page.getByText('Waiting to send it again').waitFor();
      await choose('demo-token');
      await openList();
      await expect.poll(() => readNumbers(example), patient).toEqual([1]);

      await page.clock.fastForward(10_000);

      await expect.poll(() => readNumbers(example), patient).toEqual([2, 1]);
      await page.getByRole('link', { name: 'New study' }).click();
      expect(await page.getByLabel('Question').inputValue()).toBe('');
    });
  });
});
