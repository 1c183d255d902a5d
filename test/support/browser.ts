import { chromium, firefox, type Browser, type Locator, type Page } from 'playwright-core';
import { inject, onTestFinished } from 'vitest';
import { useBrowser } from './file-browser.js';
import { chromiumPath, firefoxPath } from './tools.js';

declare module 'vitest' {
  interface ProvidedContext {
    /** The browser of the project that is running: `vitest.config.ts`. */
    readonly browser: BrowserName;
  }
}

export interface TestPage {
  readonly page: Page;
  /** URLs of the requests to origins other than the given ones. All these requests were blocked. */
  readonly foreign: readonly string[];
  /** Errors and warnings in the console, uncaught errors, and violations of the Content-Security-Policy. */
  readonly complaints: readonly string[];
}

/**
 * Clicks once with the mouse as a person does: scrolls to `target`, moves to its middle, presses the button, and releases
 * the button some animation frames later.
 *
 * @param frames number of frames for which the button stays pressed; the mouse moves in `frames` + 1 steps
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

/**
 * Replaces what `field` holds by `text`, as one step of typing. Over BiDi, Playwright's `fill` sets the value by a script,
 * of which React learns nothing.
 */
export async function typeInto(field: Locator, text: string): Promise<void> {
  await field.selectText();
  const command = text === '' ? 'delete' : 'insertText';
  await field.page().evaluate(`document.execCommand('${command}', false, ${JSON.stringify(text)})`);
}

/** Features that Playwright 1.64 turns off on Linux. Of two switches Chromium takes the last, so ours must repeat them. */
const offByPlaywright = [
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'DestroyProfileOnBrowserClose',
  'HttpsUpgrades',
  'HttpsFirstBalancedModeAutoEnable',
  'LensOverlay',
  'MediaRouter',
  'PaintHolding',
  'ThirdPartyStoragePartitioning',
  'AvoidCorsURLLoaderRestartOnRedirect',
  'OptimizationHints',
  'NetworkTimeServiceQuerying',
  'AimEnabled',
  'PreconnectToSearch',
];

/** Popups of the address bar. Chromium loads their 400 scripts for each new page, which takes 0.7 s of CPU. */
const popups = ['WebUIOmniboxPopup', 'WebUIOmniboxAimPopup'];

function launchChromium(): Promise<Browser> {
  return chromium.launch({
    executablePath: chromiumPath,
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      `--disable-features=${[...offByPlaywright, ...popups].join()}`,
      // Blocks DNS as well, because Playwright's `route` does not see every request.
      '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost',
    ],
  });
}

/** Drives Debian's Firefox by WebDriver BiDi, which is what the channels `moz-…` of Playwright mean. */
function launchFirefox(): Promise<Browser> {
  return firefox.launch({
    channel: 'moz-firefox',
    executablePath: firefoxPath,
    firefoxUserPrefs: {
      'network.dns.disabled': true,
      // BiDi in Firefox 153 cannot set the options of `newContext` for colours and motion.
      'layout.css.prefers-color-scheme.content-override': 1,
      'ui.prefersReducedMotion': 1,
    },
  });
}

/** The browsers that the tests of pages run in, each in a project of `vitest.config.ts`. */
const browsers = {
  chromium: {
    launch: launchChromium,
    permissions: ['clipboard-read', 'clipboard-write'],
    /** Whether `emulateMedia` can choose dark colours. */
    hasDarkColours: true,
    /** Matches what the console says of a request whose connection broke. */
    lostRequest: /ERR_CONNECTION/,
    /** What the console says of an answer that another origin may not read. */
    refusedByCors: ['blocked by CORS policy', 'Failed to load resource: net::ERR_FAILED'],
  },
  firefox: {
    launch: launchFirefox,
    // Firefox has no such permissions: a page may paste what the keyboard pastes.
    permissions: [],
    hasDarkColours: false,
    lostRequest: /CORS request did not succeed/,
    refusedByCors: ['The Same Origin Policy disallows reading'],
  },
} as const;

type BrowserName = keyof typeof browsers;

/** Returns what the tests must know of the browser that they run in. */
export function currentBrowser() {
  const name = inject('browser');
  return { name, ...browsers[name] };
}

/**
 * Opens a page with its own browser profile that can reach only the given origins. The page closes when the test ends,
 * the browser after all tests of the file.
 */
export async function openPage(...origins: readonly string[]): Promise<TestPage> {
  const { launch, permissions } = currentBrowser();
  const browser = await useBrowser(launch);
  const context = await browser.newContext({
    permissions: [...permissions],
    viewport: { width: 1280, height: 800 },
    colorScheme: 'light',
    reducedMotion: 'reduce',
  });
  onTestFinished(() => context.close());
  // Shorter than the test's timeout, so that the error names the element that Playwright waited for.
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
  // Reports violations also when a script catches the error, because then the console shows nothing.
  await context.addInitScript(`addEventListener('securitypolicyviolation', (event) =>
    complain('CSP: ' + event.effectiveDirective + ' forbids ' + event.blockedURI))`);

  return { page: await context.newPage(), foreign, complaints };
}
