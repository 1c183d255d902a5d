// Apart from browser.ts, because setup runs for every test file, and most files need no Playwright.

import type { Browser } from 'playwright-core';

let browser: Promise<Browser> | undefined;

/** Returns the browser of the test file that is running, launched by `launch` at the file's first call. */
export function useBrowser(launch: () => Promise<Browser>): Promise<Browser> {
  return (browser ??= launch());
}

/** Closes the browser, if there is one. */
export async function closeBrowser(): Promise<void> {
  const launched = browser;
  // Even if the launch failed, so that the next file launches again.
  browser = undefined;
  await (await launched)?.close();
}
