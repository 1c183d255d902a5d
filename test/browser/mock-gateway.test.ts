// @module-tag chromium

import { expect, it } from 'vitest';
import { mockStudy, MockGateway, type MockOperation } from 'study-gateway-client/testing';
import { openPage } from '../support/browser.js';
import { serveExample } from './example.fixture.js';

it('stands in for the gateway in a browser, as docs/frontend-tests.md says', async () => {
  const study = mockStudy({ description: 'Why?' });
  const gateway = new MockGateway([study]);
  const elsewhere = 'http://gateway.test';
  const origin = await serveExample(() => elsewhere);
  const { page, complaints } = await openPage(origin, elsewhere);
  await page.route('**/graphql', (route) => {
    const headers = { 'access-control-allow-origin': '*', 'access-control-allow-headers': '*' };
    if (route.request().method() === 'OPTIONS') return route.fulfill({ headers });
    const operation = route.request().postDataJSON() as MockOperation;
    return route.fulfill({ headers, json: gateway.answer(operation) });
  });

  await page.goto(`${origin}/#/`);
  await page.getByRole('link', { name: 'Why?' }).click();
  await page.getByText('People who left').waitFor();
  gateway.failure = 'drift';
  await page.reload();
  await page.getByText('You see the rest.').waitFor();

  expect(complaints).toEqual([]);
});
