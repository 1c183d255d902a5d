import { chromium, type Browser, type Locator, type Page } from 'playwright-core';
import { afterAll, onTestFinished } from 'vitest';
import { chromiumPath } from './tools.js';

export interface TestPage {
  readonly page: Page;
  /** The requests to anything but the given origins. None of them was let through. */
  readonly foreign: readonly string[];
  /** Errors and warnings in the console, uncaught errors, and violations of the Content-Security-Policy. */
  readonly complaints: readonly string[];
}

/**
 * Clicks with the mouse as a person does: scrolls there, moves towards the middle, down, and up after some frames of the page, at most once.
 *
 * @param frames for which the button is held, and in which the mouse comes
 */
export async function clickLikeAPerson(target: Locator, frames: number): Promise<void> {
  const page = target.page();
  await target.scrollIntoViewIfNeeded();
  const box = await target.boundingBox();
  if (!box) throw new Error('There is nothing to click on.');
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
  await page.mouse.move(x - 30, y + 50);
  await page.mouse.move(x, y, { steps: frames + 1 });
  await page.mouse.down();
  for (let frame = 0; frame < frames; frame++)
    await page.evaluate('new Promise((resolve) => requestAnimationFrame(resolve))');
  await page.mouse.up();
}

let browser: Promise<Browser> | undefined;
afterAll(async () => (await browser)?.close());

function launch(): Promise<Browser> {
  return chromium.launch({
    executablePath: chromiumPath,
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
