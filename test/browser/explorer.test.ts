// @module-tag chromium

import axe, { type AxeResults } from 'axe-core';
import { parse, validate } from 'graphql';
import type { Locator, Page } from 'playwright-core';
import { describe, expect, it, vi } from 'vitest';
import { scenarios } from 'study-gateway-emulator';
import { startTestEmulator } from '../support/emulator.js';
import {
  createStudyExample,
  editStudyExample,
  listStudiesExample,
  readStudyExample,
} from '../../src/graphql/example.js';
import { scenariosExample } from '../../src/features/explorer/settings.js';
import { schema } from '../../src/graphql/schema.js';
import { startTestGateway, type TestGateway } from '../support/gateway.js';
import { clickLikeAPerson, currentBrowser, openPage, typeInto } from '../support/browser.js';
import { allDaily } from '../support/daily.js';

vi.setConfig({ testTimeout: 60_000 });

/** Nothing came from elsewhere, and the browser has nothing to say against the page. */
const clean = { foreign: [], complaints: [] };

/** What the answer of each example has, and no answer that looks for the newest study. Firefox shows no requests' bodies. */
const answers = {
  CreateStudy: '"createStudy":',
  EditStudy: '"editStudy":',
  ReadStudy: '"study":',
  ListStudies: '"total":',
  Scenarios: '"createStudy":',
};

async function startGatewayWithEmulator(): Promise<TestGateway> {
  const emulator = await startTestEmulator();
  return startTestGateway({ studyApiUrl: emulator.url, demoToken: emulator.token });
}

/** The explorer in a browser that reaches the gateway and nothing else, its schema read. */
async function openExplorer(gateway?: TestGateway, colorScheme: 'light' | 'dark' = 'light') {
  const { url } = gateway ?? (await startGatewayWithEmulator());
  const { page, foreign, complaints } = await openPage(url);
  const introspection = page.waitForResponse(`${url}/graphql`);
  // GraphiQL asks for the colours once.
  await page.emulateMedia({ colorScheme });
  await page.goto(`${url}/explorer`);
  await (await introspection).finished();

  /** Opens the tab of an example, and runs it. */
  const run = async (example: keyof typeof answers): Promise<unknown> => {
    await select(page, example);
    const tab = page.getByRole('tabpanel', { name: example });
    const answer = page.waitForResponse(
      async (response) =>
        response.url() === `${url}/graphql` && (await response.text()).includes(answers[example]),
    );
    await tab.getByRole('button', { name: 'Execute query' }).click();
    return (await answer).json();
  };
  return {
    page,
    url,
    foreign,
    complaints,
    /** The tabs of the operations, from left to right. */
    tabs: page.getByRole('list', { name: 'Select active operation' }).getByRole('listitem'),
    result: page.getByRole('region', { name: 'Result Window' }),
    run,
  };
}

/** The button that opens a tab. */
function tabButton(page: Page, name: string): Locator {
  return page.getByRole('button', { name, exact: true });
}

/** Opens a tab by one click. */
async function select(page: Page, name: string): Promise<void> {
  const tab = tabButton(page, name);
  if ((await tab.getAttribute('aria-current')) === 'true') return;
  await clickLikeAPerson(tab, 3);
  // Until its operation has been read, which is 100 ms later, it would run the one of the tab before.
  await stored(page, 'query', new RegExp(`(query|mutation) ${name}`));
}

/** Waits until GraphiQL has put `text` into its storage. */
async function stored(page: Page, key: 'query' | 'tabState', text: string | RegExp): Promise<void> {
  await expect
    .poll(() => page.evaluate(`sessionStorage['graphiql:${key}'] ?? ''`), { timeout: 5_000 })
    .toMatch(text);
}

/** Pastes a line in place of what an editor holds: of what is typed it would close quotes and brackets. */
async function fill(editor: Locator, text: string): Promise<void> {
  const page = editor.page();
  await page.evaluate(`navigator.clipboard.writeText(${JSON.stringify(text)})`);
  const paste = async (): Promise<string> => {
    await editor.getByRole('textbox').focus();
    await page.keyboard.press('ControlOrMeta+A');
    await page.keyboard.press('ControlOrMeta+V');
    // The spaces that it shows do not break.
    return (await editor.getByRole('code').innerText()).replaceAll('\u00a0', ' ');
  };
  // Chromium now and then drops the first one.
  await expect.poll(paste, { timeout: 5_000 }).toContain(text);
}

describe('the tabs of the explorer', () => {
  // Eight clicks, up to thirty frames each: slow where the processor draws the frames.
  it(
    'are selected by the first click of a mouse, and their editor completes what is typed',
    { timeout: 120_000 },
    async () => {
      const { page, tabs, complaints } = await openExplorer();
      const selected = (): Promise<string[]> => page.locator('[aria-current=true]').allInnerTexts();
      await tabs.filter({ hasText: 'Scenarios' }).waitFor();

      for (const frames of allDaily([0, 2, 12, 30], [12]))
        for (const name of ['Scenarios', 'ReadStudy']) {
          await clickLikeAPerson(tabButton(page, name), frames);

          await expect.poll(selected, { timeout: 2_000 }).toEqual([name]);
          expect(await tabs.allInnerTexts()).toEqual([
            'CreateStudy',
            'EditStudy',
            'ReadStudy',
            'ListStudies',
            'Scenarios',
          ]);
        }

      await fill(page.getByRole('region', { name: 'Operation Editor' }), 'mutation { edit');
      const suggestion = page.getByRole('option', { name: 'editStudy' });

      // The editor's worker gets the schema after the page: asked too early, it has nothing to suggest.
      await expect
        .poll(
          async () => {
            await page.keyboard.press('Escape');
            await page.keyboard.press('Control+Space');
            return suggestion.waitFor({ timeout: 3_000 }).then(
              () => true,
              () => false,
            );
          },
          { timeout: 15_000 },
        )
        .toBe(true);
      expect(complaints).toEqual([]);
    },
  );
});

const { hasDarkColours } = currentBrowser();

describe('the page of the explorer', () => {
  it.for(
    allDaily(['dark', 'light'] as const, ['dark'] as const).filter(
      (colorScheme) => hasDarkColours || colorScheme === 'light',
    ),
  )('has nothing for axe, and explains the empty answer: %s', async (colorScheme) => {
    const { page, run, result } = await openExplorer(undefined, colorScheme);
    const hint = (): Promise<unknown> =>
      page.evaluate(
        "getComputedStyle(document.querySelector('.graphiql-response'), '::before').content",
      );
    const check = async (): Promise<void> => {
      const { violations, passes } = await page.evaluate<AxeResults>('axe.run()');
      expect(passes.length).toBeGreaterThan(10);
      expect(violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)])).toEqual([]);
    };
    await page.evaluate(axe.source);

    await select(page, 'Scenarios');
    expect(await hint()).toContain('The answer is shown here. Run the operation');
    await check();
    await page.getByRole('button', { name: 'Show Documentation Explorer' }).click();
    await run('Scenarios');
    await result.getByText('createStudy').first().waitFor();
    expect(await hint()).toBe('none');
    await check();

    await page.getByRole('button', { name: 'Hide Documentation Explorer' }).click();
    await page.setViewportSize({ width: 390, height: 800 });
    await page.getByRole('region', { name: 'Operation Editor' }).scrollIntoViewIfNeeded();
    const [toolbar, code] = await Promise.all(
      ['.graphiql-toolbar', '.graphiql-query-editor .view-line'].map((selector) =>
        page.locator(selector).first().boundingBox(),
      ),
    );
    expect(toolbar!.y + toolbar!.height).toBeLessThanOrEqual(code!.y + 1);
    expect(code!.width).toBeGreaterThan(200);
    await check();
  });
});

describe('the explorer without a network', () => {
  it('says what to run first, then edits, reads and lists the newest study, and shows a failure', async () => {
    const { page, run, result, foreign, complaints } = await openExplorer();
    for (const name of ['EditStudy', 'ReadStudy']) {
      await select(page, name);
      const tab = page.getByRole('tabpanel', { name });
      await tab.getByText('Run CreateStudy first.').waitFor();
      await tab.getByRole('button', { name: 'Execute query' }).click();
      await result.getByText('There is no study yet: run CreateStudy first.').waitFor();
    }
    expect(await run('ListStudies')).toMatchObject({ data: { studies: { items: [] } } });
    const { input } = createStudyExample.variables;
    const { input: changes } = editStudyExample.variables;

    const sent = page.waitForRequest(/graphql$/);
    await run('CreateStudy');
    const created = (await run('CreateStudy')) as { data: { createStudy: { id: string } } };
    const { id } = created.data.createStudy;

    expect(created).toMatchObject({ data: { createStudy: input } });
    expect(await (await sent).allHeaders()).toMatchObject({
      authorization: 'Bearer demo-token',
      'x-study-explain': '1',
    });
    await result.getByText(id).first().waitFor();
    expect(await run('EditStudy')).toMatchObject({ data: { editStudy: { id, ...changes } } });
    await result.getByText(String(changes?.['description'])).first().waitFor();
    expect(await run('ReadStudy')).toMatchObject({ data: { study: { ...input, id, ...changes } } });
    expect(await run('ListStudies')).toMatchObject({
      data: { studies: { items: [{ id }, {}], total: 2 } },
    });
    expect(await run('Scenarios')).toMatchObject({
      data: { createStudy: null },
      errors: [{ extensions: { code: 'BAD_USER_INPUT', outcome: 'REJECTED' } }],
    });
    await result.getByText('REJECTED').first().waitFor();
    expect({ foreign, complaints }).toEqual(clean);
  });

  it('asks for the token once, for all tabs and reloads', async () => {
    const emulator = await startTestEmulator();
    const gateway = await startTestGateway({ studyApiUrl: emulator.url, demoToken: undefined });
    const { page, run, foreign, complaints } = await openExplorer(gateway);
    const token = page.getByLabel('Bearer token');
    expect(await token.inputValue()).toBe('');
    await typeInto(token, 'demo-token');
    const created = (await run('CreateStudy')) as { data: { createStudy: { id: string } } };
    const { id } = created.data.createStudy;
    expect(await run('ReadStudy')).toMatchObject({ data: { study: { id } } });

    await page.reload();
    expect(await run('ListStudies')).toMatchObject({ data: { studies: { items: [{ id }] } } });

    expect(await page.evaluate('localStorage.length')).toBe(0);
    expect({ foreign, complaints }).toEqual(clean);
  });
});

describe('the page of Sandbox without a network', () => {
  it('violates no policy', async () => {
    const { url } = await startTestGateway();
    const { page, complaints } = await openPage(url);

    await page.goto(`${url}/graphql`);

    // The inline script ran, and failed only because this test blocks the script from Apollo's CDN.
    await expect.poll(() => complaints.join()).toContain('EmbeddedSandbox is not a constructor');
    expect(complaints.filter((line) => /polic|refused/i.test(line))).toEqual([]);
  });
});

it('has valid examples, which name every token of the scenarios', () => {
  const examples = [createStudyExample, editStudyExample, readStudyExample, listStudiesExample];
  for (const { document } of [...examples, scenariosExample])
    expect(validate(schema, parse(document))).toEqual([]);

  const tokens = Array.from(
    scenariosExample.document.matchAll(/^# (demo-\S+)/gm),
    ([, name]) => name,
  );
  expect(tokens).toEqual(scenarios.map(({ token }) => token));
});
