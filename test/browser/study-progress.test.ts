// @module-tag chromium

import { createServer } from 'node:http';
import { build } from 'esbuild';
import { expect, it } from 'vitest';
import { openPage } from '../support/browser.js';
import { startTestGateway } from '../support/gateway.js';
import { listen } from '../support/listen.js';
import { toPage, wholeStudy } from '../support/studies.js';
import { answerJson } from '../support/study-api.js';

/** A list of two studies that shows their progress; `waits` has the waits that the page plans, in ms. */
const script = `
import { ApolloClient, HttpLink, InMemoryCache } from '@apollo/client';
import { ApolloProvider } from '@apollo/client/react';
import { createElement } from 'react';
import { createRoot } from 'react-dom/client';
import { studyTypePolicies, useStudiesQuery, useStudyProgress } from 'study-gateway-client/apollo';

const { setTimeout } = window;
window.waits = [];
window.setTimeout = (end, ms) => {
  if (ms >= 1000) waits.push(ms);
  return setTimeout(end, ms);
};
function List() {
  const items = useStudiesQuery({ variables: { size: 2 } }).data?.studies?.items ?? [];
  useStudyProgress(items, { size: 2 });
  const texts = items.map(({ progress }) => progress.completed + ' of ' + progress.total);
  return createElement('p', null, texts.join(' '));
}
window.client = new ApolloClient({
  link: new HttpLink({ uri: GATEWAY, headers: { authorization: 'Bearer token' } }),
  cache: new InMemoryCache({ typePolicies: studyTypePolicies }),
});
createRoot(document.querySelector('main')).render(
  createElement(ApolloProvider, { client }, createElement(List)),
);`;

/** The page with a clock that stands still, in front of a Study API whose two studies are as far as the test says. */
async function openList() {
  const state = { completed: [0, 0], status: 200, hold: (answer: () => void) => answer() };
  const gateway = await startTestGateway({
    api: (...call) => {
      const studies = state.completed.map((completed, index) => ({
        ...wholeStudy,
        id: `00000000-0000-4000-8000-00000000000${index}`,
        progress: { total: 2, completed, failed: 0 },
      }));
      state.hold(() => answerJson(toPage(studies, { size: 2 }), state.status)(...call));
    },
  });
  const { outputFiles } = await build({
    stdin: { contents: script, resolveDir: '.', loader: 'js' },
    bundle: true,
    write: false,
    format: 'esm',
    define: { GATEWAY: `'${gateway.url}/graphql'`, 'process.env.NODE_ENV': '"production"' },
  });
  const html = `<!doctype html><link rel="icon" href="data:,"><main></main><script type="module">${outputFiles[0]?.text.replaceAll('</script', '<\\/script')}</script>`;
  const origin = await listen(
    createServer((_, response) => {
      response.writeHead(200, { 'content-type': 'text/html' }).end(html);
    }),
  );
  const { page } = await openPage(origin, gateway.url);
  await page.clock.install({ time: 0 });
  // Later than any time that has passed since.
  await page.clock.pauseAt(600_000);
  await page.goto(origin);
  const waits = () => page.evaluate<number[]>('waits');
  const shown = async () => {
    // Apollo Client tells a change of its cache to the page in a timer.
    await page.clock.runFor(1);
    return page.locator('p').innerText();
  };
  await expect.poll(waits).toEqual([2000]);
  return {
    page,
    state,
    waits,
    shown,
    calls: gateway.calls,
    /** Lets the last wait pass, until the page plans the next one. */
    pass: async () => {
      const before = await waits();
      await page.clock.runFor(before.at(-1) ?? 0);
      await expect.poll(async () => (await waits()).length).toBeGreaterThan(before.length);
    },
    /** Lets ten minutes pass. What the page has sent until then has arrived after it. */
    passLong: async () => {
      await page.clock.runFor(600_000);
      await page.evaluate(`fetch('${gateway.url}/graphql', { method: 'OPTIONS' }).catch(() => {})`);
    },
    setHidden: (isHidden: boolean) =>
      page.evaluate(
        `Object.defineProperty(document, 'hidden', { configurable: true, value: ${isHidden} })`,
      ),
  };
}

it('reads two running rows by one request, and stops at their end', async () => {
  const { state, shown, calls, pass, passLong, page, waits } = await openList();
  expect(calls).toHaveLength(1);
  state.completed = [1, 2];

  await pass();
  await expect.poll(shown).toBe('1 of 2 2 of 2');
  expect(calls).toHaveLength(2);
  state.completed = [2, 2];
  await page.clock.runFor((await waits()).at(-1) ?? 0);
  await expect.poll(shown).toBe('2 of 2 2 of 2');

  await passLong();
  expect(calls).toHaveLength(3);
});

it('waits for up to 15 s while nothing changes, and 2 s again after a change', async () => {
  const { state, waits, pass } = await openList();

  for (let read = 0; read < 8; read++) await pass();
  state.completed = [1, 0];
  await pass();

  const backOff = [2000, 3000, 4500, 6750, 10_125, 15_000, 15_000, 15_000];
  expect(await waits()).toEqual([2000, ...backOff, 2000]);
});

it('reads each minute in a hidden tab, and within 2 s when it is shown again', async () => {
  const { waits, calls, pass, setHidden } = await openList();

  await setHidden(true);
  for (let wait = 0; wait < 29; wait++) await pass();
  expect(calls).toHaveLength(1);
  for (let wait = 0; wait < 3; wait++) await pass();
  expect(calls).toHaveLength(2);
  await setHidden(false);
  expect((await waits()).at(-1)).toBe(2000);
  await pass();

  expect(calls).toHaveLength(3);
});

it('goes on after a reading that the program has cancelled', async () => {
  const { state, waits, calls, page } = await openList();
  const held: (() => void)[] = [];
  state.hold = (answer) => void held.push(answer);
  await page.clock.runFor(2000);
  await expect.poll(() => calls.length).toBe(2);

  await page.evaluate('client.clearStore()');

  await expect.poll(waits).toEqual([2000, 2000]);
  held.forEach((answer) => answer());
});

it('goes on after an error that a repeat may help, and ends with one that it does not', async () => {
  const { state, shown, calls, pass, passLong, page, waits } = await openList();
  state.status = 503;
  await pass();
  expect(await shown()).toBe('0 of 2 0 of 2');
  state.status = 403;
  const answered = page.waitForResponse((response) => response.request().method() === 'POST');
  await page.clock.runFor((await waits()).at(-1) ?? 0);
  await (await answered).finished();

  const { length } = calls;
  await passLong();
  await passLong();
  expect(calls).toHaveLength(length);
});
