import type { Browser } from 'playwright-core';

let browser: Promise<Browser> | undefined;

/** Returns the browser of the test file that is running, launched by `launch` at the file's first call. */
export function useBrowser(launch: () => Promise<Browser>): Promise<Browser> {
  return (browser ??= launch());
}

/** Closes the browser, if there is one. */
export async function closeBrowser(): Promise<void> {
  const open = await browser;
  browser = undefined;
  await open?.close();
}
