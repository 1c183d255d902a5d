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

it('creates a study from the origin that the gateway lists, and knows nothing from any other', async () => {
  const { gatewayUrl, listed, unlisted } = await startOrigins();
  const { page, complaints } = await openPage(gatewayUrl, listed, unlisted);
  await hurry(page);
  const create = async (origin: string) => {
    await page.goto(`${origin}/#/new`);
    await typeInto(page.getByLabel('Question'), 'Why?');
    await page.getByRole('button', { name: 'Create study' }).click();
  };

  await create(listed);
  await page.getByRole('heading', { name: 'Why?' }).waitFor();
  expect(complaints).toEqual([]);

  await create(unlisted);
  const notice = page.getByRole('alert');
  // To the page this is a connection that fails: the write is sent again, with its key.
  await notice.getByRole('button', { name: 'Send again' }).waitFor();
  expect(await notice.getByRole('code').allInnerTexts()).toEqual(['NO_ANSWER']);
  const { refusedByCors } = currentBrowser();
  const refused = refusedByCors.map((text) => expect.stringContaining(text));
  expect(complaints).toEqual([refused, refused, refused, refused].flat());
});
