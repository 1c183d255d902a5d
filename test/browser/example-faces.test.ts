// @module-tag chromium

import { describe, expect, it, vi } from 'vitest';
import { scenarios as shown } from '../../examples/react/src/scenarios.js';
import { scenarios } from 'study-gateway-emulator';
import { openPage } from '../support/browser.js';
import { allDaily, daily } from '../support/daily.js';
import { openExample, takeScreenshot, waitPatiently, type Example } from './example.fixture.js';

vi.setConfig({ testTimeout: 60_000 });

const notSent = 'Not sent, so nothing has happened';
const refused = 'Refused by the Study API';
const damaged = 'Stored, but the answer was damaged';
const unknown = 'We do not know whether it was stored';
const unread = 'The study could not be read';

interface Seen {
  readonly title: string;
  readonly code: string;
}

const faces: Record<string, Seen> = {
  'demo-401': { title: refused, code: 'UNAUTHENTICATED' },
  'demo-403': { title: refused, code: 'FORBIDDEN' },
  'demo-404': { title: refused, code: 'NOT_FOUND' },
  'demo-409': { title: refused, code: 'CONFLICT' },
  'demo-422': { title: refused, code: 'BAD_USER_INPUT' },
  'demo-429': { title: refused, code: 'RATE_LIMITED' },
  'demo-500': { title: unknown, code: 'UPSTREAM_ERROR' },
  'demo-503': { title: unknown, code: 'UPSTREAM_ERROR' },
  'demo-hang': { title: unknown, code: 'UPSTREAM_TIMEOUT' },
  'demo-cut': { title: unknown, code: 'UPSTREAM_UNAVAILABLE' },
  'demo-drift-missing': { title: damaged, code: 'UPSTREAM_CONTRACT' },
  'demo-drift-strategy': { title: damaged, code: 'UPSTREAM_CONTRACT' },
};

const uuid = /[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}/;

/** The face, once it shows. What waits before it repeats itself need not wait for long. */
async function readFace({ page, face }: Example): Promise<Seen> {
  await waitPatiently(page, face);
  // The id by which the gateway's log can be searched.
  expect(await face.getByText('For support').innerText()).toMatch(uuid);
  return {
    title: await face.getByRole('heading').innerText(),
    code: await face.getByRole('code').first().innerText(),
  };
}

it('knows every scenario of the emulator', () => {
  const tokens = scenarios.map(({ token }) => token);

  expect([...shown.keys()]).toEqual(['demo-token', ...tokens]);
  expect(Object.keys(faces)).toEqual(tokens);
});

describe('a study that is created', () => {
  it('shows the face of each scenario', async () => {
    const example = await openExample({ deadlineMs: 2_000 });
    const { page, choose, create, operations, complaints } = example;
    await page.clock.install();
    const seen: Record<string, Seen> = {};
    const scenarios = allDaily(Object.keys(faces), [
      'demo-401',
      'demo-429',
      'demo-500',
      'demo-drift-missing',
    ]);
    for (const scenario of scenarios) {
      await choose(scenario);
      // An input of its own: one that is not settled would not be sent as a new write.
      await create(`Why ${scenario}?`);
      const { title, code } = await readFace(example);
      seen[scenario] = { title, code };
      // What may be there already is not sent again just so.
      const submit = page.getByRole('button', { name: 'Create study' });
      expect(await submit.count()).toBe(title === refused ? 1 : 0);
      await page.reload();
    }

    expect(faces).toMatchObject(seen);
    expect(Object.keys(seen)).toEqual(scenarios);
    // Each once, and the one that asked to come back later twice more.
    expect(operations).toHaveLength(scenarios.length + 2);
    expect(complaints).toEqual([]);
  });

  daily(() => {
    it('can be opened although the answer was damaged', async () => {
      const { page, choose, create, face } = await openExample();
      await choose('demo-drift-missing');
      await create('Why?');
      const link = face.getByRole('link');
      const [id] = uuid.exec(await link.innerText()) ?? [];
      await choose('demo-token');

      await link.click();

      await page.getByRole('heading', { name: 'Why?' }).waitFor();
      expect(page.url()).toMatch(new RegExp(`#/studies/${id}$`));
    });

    it('makes room for another one after a damaged answer', async () => {
      const { page, choose, create, face } = await openExample();
      await choose('demo-drift-strategy');
      await create('Why?');
      await face.waitFor();
      expect(await page.getByLabel('Question').isDisabled()).toBe(true);

      await face.getByRole('button', { name: 'Begin another study' }).click();

      await face.waitFor({ state: 'detached' });
      expect(await page.getByLabel('Question').inputValue()).toBe('');
      expect(await page.evaluate('document.activeElement.textContent')).toBe('New study');
    });
  });

  it('is sent again on request only, when its fate is not known', async () => {
    const { page, choose, create, face, countCreates } = await openExample();
    await choose('demo-cut');
    await create('Why?');
    await face.waitFor();
    await page.getByLabel('Project').press('Enter');
    expect(countCreates()).toBe(1);
    await choose('demo-token');

    await face.getByRole('button', { name: 'I have looked' }).click();

    await page.getByRole('heading', { name: 'Why?' }).waitFor();
    expect(countCreates()).toBe(2);
  });

  daily(() => {
    it('is not sent without a token, and is with one', async () => {
      const example = await openExample();
      await example.choose('');
      await example.create('Why?');
      expect(await readFace(example)).toEqual({ title: notSent, code: 'UNAUTHENTICATED' });
      await example.choose('demo-token');

      await example.face.getByRole('button', { name: 'Try again' }).click();

      await example.page.getByRole('heading', { name: 'Why?' }).waitFor();
    });
  });

  it('is tried three times where the Study API cannot be reached', async () => {
    const example = await openExample();
    await example.emulator.close();
    await example.page.clock.install();

    await example.create('Why?');

    expect(await readFace(example)).toEqual({ title: notSent, code: 'UPSTREAM_UNAVAILABLE' });
    expect(example.operations).toHaveLength(3);
  });
});

describe('a study that is edited', () => {
  const scenarios = {
    'demo-401': 'Before',
    'demo-404': 'Before',
    'demo-409': 'Before',
    'demo-422': 'Before',
    'demo-500': 'Before',
    'demo-hang': 'Before',
    'demo-cut': 'After',
    'demo-drift-missing': 'After',
    'demo-drift-strategy': 'After',
  };

  it('shows the face of each scenario, and what is stored', async () => {
    const example = await openExample({ deadlineMs: 2_000 });
    const { page, emulator, choose, open, edit, complaints } = example;
    const ofEdits = allDaily(Object.keys(scenarios), [
      'demo-422',
      'demo-cut',
      'demo-drift-missing',
    ]);
    const seen: Record<string, Seen> = {};
    const stored: Record<string, unknown> = {};
    for (const scenario of ofEdits) {
      const { id } = await emulator.create({ description: 'Before' });
      await choose('demo-token');
      await open(id);
      await page.getByRole('heading', { name: 'Before' }).waitFor();
      await choose(scenario);
      await edit('After');
      seen[scenario] = await readFace(example);

      await choose('demo-token');
      const check = page.getByRole('button', { name: 'Show what is stored' });
      if ((await check.count()) > 0) {
        await check.click();
        await page.getByText('This is what is stored now.').waitFor();
      } else await page.getByRole('button', { name: 'Cancel' }).click();
      stored[scenario] = await page.getByRole('heading', { level: 1 }).innerText();
    }

    expect(faces).toMatchObject(seen);
    expect(Object.keys(seen)).toEqual(ofEdits);
    expect(scenarios).toMatchObject(stored);
    expect(complaints).toEqual([]);
  });

  daily(() => {
    it('keeps what was typed when what is stored cannot be read either', async () => {
      const { page, emulator, choose, open, edit, face, complaints } = await openExample();
      const { id } = await emulator.create({ description: 'Before' });
      await open(id);
      await page.getByRole('heading', { name: 'Before' }).waitFor();
      await choose('demo-500');
      await edit('After');
      await face.getByRole('button', { name: 'Show what is stored' }).click();

      await page.getByText('could not be read again').waitFor();

      expect(await page.getByLabel('Question').inputValue()).toBe('After');
      expect(complaints).toEqual([]);
    });
  });
});

describe('a study that is read', () => {
  it.for(
    allDaily(
      [
        ['demo-503', 'UPSTREAM_ERROR'],
        ['demo-cut', 'UPSTREAM_UNAVAILABLE'],
      ],
      [['demo-503', 'UPSTREAM_ERROR']],
    ),
  )('can be read again after %s', async ([scenario, code]) => {
    const example = await openExample();
    const { page, emulator, choose, face } = example;
    const { id } = await emulator.create({ description: 'Why?' });
    await choose(scenario);
    await page.clock.install();
    await example.open(id);
    expect(await readFace(example)).toEqual({ title: unread, code });
    await choose('demo-token');

    await face.getByRole('button', { name: 'Read it again' }).click();

    await page.getByRole('heading', { name: 'Why?' }).waitFor();
    expect(example.complaints).toEqual([]);
  });
});

it('shows why the Study API refused a write or a read', async () => {
  const { page, emulator, choose, create, open, face } = await openExample();
  const { id } = await emulator.create({ description: 'Why?' });
  await choose('demo-403');

  await create('Why?');
  await face.getByText('Not enough permissions').waitFor();
  expect(await face.getByRole('heading').innerText()).toBe(refused);
  await open(id);
  await page.getByText(unread).waitFor();

  expect(await face.getByText('Not enough permissions').count()).toBe(1);
});

daily(() => {
  it('has a face for each outcome', async () => {
    const pictures: string[] = [];
    const { page, choose, create, face } = await openExample();
    for (const scenario of ['', 'demo-drift-missing', 'demo-409', 'demo-cut']) {
      await choose(scenario);
      await create('Why?');
      await face.waitFor();
      pictures.push((await face.screenshot()).toString('base64'));
      await page.reload();
    }
    expect(new Set(pictures).size).toBe(4);

    const { page: gallery } = await openPage();
    await gallery.setContent(`<!doctype html><style>
      body { columns: 2; gap: 24px; margin: 0; padding: 24px 24px 0; background: #f8f6f4 }
      img { width: 100%; margin-bottom: 16px }
    </style>
    ${pictures.map((picture) => `<img alt="" src="data:image/png;base64,${picture}">`).join('')}`);
    await takeScreenshot(gallery.locator('body'), 'example-outcomes.png');
  });
});
