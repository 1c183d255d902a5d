// @module-tag chromium

import { expect, it, vi } from 'vitest';
import { startTestEmulator } from '../support/emulator.js';
import { startTestGateway } from '../support/gateway.js';
import { currentBrowser, openPage, typeInto } from '../support/browser.js';
import { serveExample } from './example.fixture.js';
import { hurry } from './lost-answers.fixture.js';

vi.setConfig({ testTimeout: 30_000 });

/** A gateway as in production that lists one of two origins. Both serve the app. */
async function startOrigins() {
  const emulator = await startTestEmulator();
  let gatewayUrl = '';
  const listed = await serveExample(() => gatewayUrl);
  const unlisted = await serveExample(() => gatewayUrl);
  const { url } = await startTestGateway({
    studyApiUrl: emulator.url,
    isProduction: true,
    sandbox: false,
    explorer: false,
    introspection: false,
    corsOrigins: [listed],
  });
  gatewayUrl = url;
  return { gatewayUrl, listed, unlisted };
}

/** Fills in a new study in the app of `origin`, and sends it. */
async function create(origin: string, gatewayUrl: string) {
  const opened = await openPage(gatewayUrl, origin);
  await hurry(opened.page);
  await opened.page.goto(`${origin}/#/new`);
  await typeInto(opened.page.getByLabel('Question'), 'Why?');
  await opened.page.getByRole('button', { name: 'Create study' }).click();
  return opened;
}

it('creates a study from the origin that the gateway lists', async () => {
  const { gatewayUrl, listed } = await startOrigins();

  const { page, complaints } = await create(listed, gatewayUrl);

  await page.getByRole('heading', { name: 'Why?' }).waitFor();
  expect(complaints).toEqual([]);
});

it('knows nothing of what becomes of a study from any other origin', async () => {
  const { gatewayUrl, unlisted } = await startOrigins();

  const { page, complaints } = await create(unlisted, gatewayUrl);

  const notice = page.getByRole('alert');
  // To the page this is a connection that fails: the write is sent again, with its key.
  await notice.getByRole('button', { name: 'Send again' }).waitFor();
  expect(await notice.getByRole('code').allInnerTexts()).toEqual(['NETWORK_ERROR']);
  const { refusedByCors } = currentBrowser();
  const refused = refusedByCors.map((text) => expect.stringContaining(text));
  expect(complaints).toEqual([refused, refused, refused, refused].flat());
});
