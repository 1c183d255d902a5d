// @module-tag chromium

import { mkdtempSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { build } from 'esbuild';
import type { Page } from 'playwright-core';
import { expect, it, onTestFinished, vi } from 'vitest';
import type { AppPart } from '../../src/http/app.js';
import { clickLikeAPerson, openPage, typeInto } from '../support/browser.js';
import { startTestEmulator } from '../support/emulator.js';
import { startTestGateway } from '../support/gateway.js';
import { listen } from '../support/listen.js';
import { run } from '../support/run.js';
import { daily } from '../support/daily.js';
import { createLosingPart, hurry } from './lost-answers.fixture.js';

vi.setConfig({ testTimeout: 90_000 });

/** The snippets of a README by their first line. */
function readSnippets(document: string): ReadonlyMap<string, string> {
  const blocks = readFileSync(document, 'utf8').matchAll(/^```tsx\n([^]*?)^```$/gm);
  return new Map(Array.from(blocks, ([, code = '']) => [code.split('\n', 1)[0] ?? '', code]));
}

const ours = readSnippets('packages/client/README.md');
const [button] = readSnippets('README.md').values();

const tsconfig = JSON.stringify({
  compilerOptions: {
    target: 'es2023',
    lib: ['es2023', 'dom', 'dom.iterable'],
    module: 'esnext',
    moduleResolution: 'bundler',
    jsx: 'react-jsx',
    types: [],
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    allowImportingTsExtensions: true,
  },
  include: ['*.ts', '*.tsx'],
});

/** A form of a frontend whose hook is `useCreate`. */
const toForm = (imports: string, call: string) => `
  import { useState } from 'react';
  ${imports}
  export function Form() {
    const [description, setDescription] = useState('');
    ${call}
    return <><input value={description} onChange={({ target }) => setDescription(target.value)} />
      <button onClick={send}>Save</button></>;
  }`;

const forms = {
  'client.tsx, for Apollo Client 4': toForm(
    `import { useCreateStudyMutation } from 'study-gateway-client/apollo';`,
    `const [create] = useCreateStudyMutation();
     const send = () => void create({ variables: { input: { description } } });`,
  ),
  'client.tsx, for urql': toForm(
    `import { useMutation } from 'urql';
     import { CreateStudyDocument } from 'study-gateway-client';`,
    `const [, create] = useMutation(CreateStudyDocument);
     const send = () => void create({ input: { description } });`,
  ),
} as const;
type SetUp = keyof typeof forms;

/** The frontends that are built, by set-up. */
const built = new Map<SetUp, Promise<string>>();

/** A frontend with a set-up of the client's README, as its reader copies it; type-checked, and built. */
async function buildFrontend(setUp: SetUp): Promise<string> {
  const directory = mkdtempSync(join(tmpdir(), 'study-gateway-readme-'));
  onTestFinished(() => rmSync(directory, { recursive: true }));
  mkdirSync(join(directory, 'src'));
  symlinkSync(resolve('node_modules'), join(directory, 'node_modules'));
  const client = ours.get(`// ${setUp}`) ?? '';
  const isApollo = setUp.includes('Apollo');
  const files: Record<string, string> = {
    'tsconfig.json': tsconfig,
    'safe.ts': ours.get('// safe.ts') ?? '',
    'client.tsx': client,
    'unsettled.tsx': ours.get('// unsettled.tsx') ?? '',
    'form.tsx': forms[setUp],
    ...(isApollo && { 'button.tsx': button ?? '' }),
    'main.tsx': `
      import { StrictMode } from 'react';
      import { createRoot } from 'react-dom/client';
      import { StudyProvider } from './client';
      import { Unsettled } from './unsettled';
      import { Form } from './form';
      ${isApollo ? "import { CreateStudy } from './button';" : 'const CreateStudy = () => null;'}
      createRoot(document.querySelector('main')!).render(
        <StrictMode><StudyProvider>
          <Form /><section><Unsettled /></section><footer><CreateStudy /></footer>
        </StudyProvider></StrictMode>,
      );`,
  };
  for (const [name, text] of Object.entries(files)) writeFileSync(join(directory, name), text);
  await run(directory, process.execPath, [resolve('node_modules/typescript/bin/tsc')]);
  const { outputFiles } = await build({
    entryPoints: [join(directory, 'main.tsx')],
    bundle: true,
    write: false,
    format: 'esm',
    jsx: 'automatic',
    define: { 'process.env.NODE_ENV': '"production"' },
  });
  return outputFiles[0]?.text ?? '';
}

/** The frontend in a browser, in front of a gateway and an emulator of its own. */
async function openFrontend(setUp: SetUp, ...parts: readonly AppPart[]) {
  const emulator = await startTestEmulator();
  const losing = createLosingPart();
  const gateway = await startTestGateway({
    studyApiUrl: emulator.url,
    additions: { parts: [losing.part, ...parts] },
  });
  const building = built.get(setUp) ?? buildFrontend(setUp);
  built.set(setUp, building);
  const script = (await building).replace('http://127.0.0.1:4000', gateway.url);
  const server = createServer(({ url }, response) => {
    if (url === '/main.js')
      return void response.writeHead(200, { 'content-type': 'text/javascript' }).end(script);
    return void response
      .writeHead(200, { 'content-type': 'text/html' })
      .end(
        '<!doctype html><link rel="icon" href="data:,"><main></main><script type="module" src="/main.js"></script>',
      );
  });
  const origin = await listen(server);
  const { page, foreign, complaints } = await openPage(origin, gateway.url);
  await hurry(page);
  await page.goto(origin);
  const stored = async () => {
    const { body } = await emulator.call('GET', '/studies');
    const { items } = body as { items: { description: string }[] };
    return items.map(({ description }) => description).toReversed();
  };
  const setLosing = (isLosing: boolean) => void (losing.state.isLosing = isLosing);
  return { page, origin, stored, setLosing, checks: { foreign, complaints } };
}

const setToken = (page: Page, token: string) =>
  page.evaluate(`sessionStorage.setItem('token', '${token}')`);
const click = (page: Page, name: string) =>
  clickLikeAPerson(page.getByRole('button', { name }).first(), 2);

async function save(page: Page, description: string): Promise<void> {
  await typeInto(page.getByRole('textbox'), description);
  await click(page, 'Save');
}

const setUps = Object.keys(forms) as SetUp[];
/** Labels of the decisions, how many writes are unsettled after each, and what it has stored with the lost attempt. */
const [again, asNew, forget] = [
  'Send it again',
  'It is not there: send it as new',
  'Forget it',
] as const;
const decisions = [
  [asNew, 0, [asNew, asNew]],
  [forget, 0, [forget]],
  [again, 1, [again]],
] as const;

it.for(setUps)('%s decides a lost write after a reload, whatever is in the form', async (setUp) => {
  const { page, stored } = await openFrontend(setUp);
  const unsettled = page.locator('section p');
  const expected: string[] = [];
  for (const [decision, left, written] of decisions) {
    await setToken(page, 'demo-cut');
    await save(page, decision);
    await unsettled.getByText(`“${decision}”`).waitFor();

    await page.reload();
    await setToken(page, 'demo-token');
    await typeInto(page.getByRole('textbox'), 'Other');
    await click(page, decision);

    expected.push(...written);
    await expect.poll(stored).toEqual(expected);
    // The gateway holds UNKNOWN for a key whose answer the Study API has cut.
    await expect.poll(() => unsettled.count()).toBe(left);
    await click(page, 'Save');
    expected.push('Other');
    await expect.poll(stored).toEqual(expected);
  }
});

it.for(setUps)(
  '%s settles a write whose answer was lost on the way, from another tab',
  async (setUp) => {
    const { page, origin, stored, setLosing } = await openFrontend(setUp);
    setLosing(true);
    await save(page, 'First');
    const tab = await page.context().newPage();
    await tab.goto(origin);
    await tab.locator('section').getByText('“First”').waitFor();
    setLosing(false);

    await click(tab, 'Send it again');

    await expect.poll(() => page.locator('section p').count()).toBe(0);
    await expect.poll(() => page.evaluate('localStorage.length')).toBe(0);
    expect(await stored()).toEqual(['First']);
  },
);

/** Answers two writes together: the first one is not settled before the other one has come. */
const answerPairs: AppPart = (app) => {
  const waiting: (() => void)[] = [];
  app.addHook('onSend', async ({ method }, _, answer) => {
    if (method !== 'POST') return answer;
    await new Promise<void>((resolve) => {
      waiting.push(resolve);
      if (waiting.length === 2) for (const end of waiting.splice(0)) end();
    });
    return answer;
  });
};

/** Opens the frontend in two tabs. */
async function openTabs() {
  const opened = await openFrontend('client.tsx, for Apollo Client 4', answerPairs);
  const tab = await opened.page.context().newPage();
  await tab.goto(opened.origin);
  return { ...opened, tabs: [opened.page, tab] as const };
}

it('writes once for a click in each of two tabs', async () => {
  const { tabs, stored } = await openTabs();
  const [first, second] = tabs;
  for (const each of tabs) await typeInto(each.getByRole('textbox'), 'Twice');

  await clickLikeAPerson(first.getByRole('button', { name: 'Save' }), 2);
  await expect.poll(() => second.evaluate('localStorage.length')).toBe(1);
  await clickLikeAPerson(second.getByRole('button', { name: 'Save' }), 2);

  await expect.poll(() => first.evaluate('localStorage.length')).toBe(0);
  expect(await stored()).toEqual(['Twice']);
});

daily(() => {
  // Rests on the time in which the browser copies its storage, which a stalled machine exceeds.
  it('writes once for a click in each of two tabs at once', async () => {
    const { tabs, stored } = await openTabs();
    const expected: string[] = [];
    for (let round = 0; round < 20; round++) {
      const description = `Round ${round}`;
      await Promise.all(tabs.map((each) => typeInto(each.getByRole('textbox'), description)));
      const at = Date.now() + 50;
      await Promise.all(
        tabs.map((each) =>
          each.evaluate(
            `new Promise((resolve) => setTimeout(resolve, ${at} - Date.now())).then(() => document.querySelector('button').click())`,
          ),
        ),
      );
      expected.push(description);
      await expect.poll(stored).toEqual(expected);
      await expect.poll(() => tabs[0].evaluate('localStorage.length')).toBe(0);
    }
    expect(await stored()).toEqual(expected);
  });
});

it('creates a study by the button of the README', async () => {
  const { page, stored, checks } = await openFrontend('client.tsx, for Apollo Client 4');
  const footer = page.locator('footer');

  await clickLikeAPerson(footer.getByRole('button', { name: 'Create' }), 2);

  await footer.getByRole('button', { name: /-/ }).waitFor();
  expect(await stored()).toEqual(['Why?']);
  expect(checks).toEqual({ foreign: [], complaints: [] });
});
