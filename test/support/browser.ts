import { existsSync } from 'node:fs';
import { chromium, type Browser, type Page } from 'playwright-core';
import { afterAll, onTestFinished } from 'vitest';

/** Debian's; elsewhere the variable says where it is. */
const executablePath = process.env['CHROMIUM'] ?? '/usr/bin/chromium';

export interface TestPage {
  readonly page: Page;
  /** The requests to anything but the given origins. None of them was let through. */
  readonly foreign: readonly string[];
  /** Errors and warnings in the console, uncaught errors, and violations of the Content-Security-Policy. */
  readonly complaints: readonly string[];
}

let browser: Promise<Browser> | undefined;
afterAll(async () => (await browser)?.close());

function launch(): Promise<Browser> {
  if (!existsSync(executablePath))
    throw new Error(
      `The browser tests need Chromium, and there is none at ${executablePath}. ` +
        'On Debian, "apt-get install chromium" installs it; elsewhere, set CHROMIUM to its path.',
    );
  return chromium.launch({
    executablePath,
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      // What a route cannot see does not find its way either.
      '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost',
    ],
  });
}

/**
 * A page with a profile of its own that reaches the given origins only. It closes when the test ends, the
 * browser when those of the file have.
 */
export async function openPage(...origins: readonly string[]): Promise<TestPage> {
  browser ??= launch();
  const context = await (
    await browser
  ).newContext({
    viewport: { width: 1280, height: 800 },
    colorScheme: 'light',
    reducedMotion: 'reduce',
  });
  onTestFinished(() => context.close());
  // Before the test's own, so that what was waited for is named.
  context.setDefaultTimeout(10_000);

  const foreign: string[] = [];
  await context.route(
    (url) => /^https?:$/.test(url.protocol) && !origins.includes(url.origin),
    async (route) => {
      foreign.push(route.request().url());
      await route.abort('internetdisconnected');
    },
  );

  const complaints: string[] = [];
  context.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) complaints.push(message.text());
  });
  context.on('weberror', (error) => complaints.push(error.error().message));
  await context.exposeFunction('complain', (text: string) => void complaints.push(text));
  // Also those that a script has caught, of which the console says nothing.
  await context.addInitScript(`addEventListener('securitypolicyviolation', (event) =>
    complain('CSP: ' + event.effectiveDirective + ' forbids ' + event.blockedURI))`);

  return { page: await context.newPage(), foreign, complaints };
}
