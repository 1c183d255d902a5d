import { createServer } from 'node:http';
import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';
import { startTestEmulator } from '../support/emulator.js';
import { startTestGateway, type TestGatewayOptions } from '../support/gateway.js';
import type { AppPart } from '../../src/http/app.js';
import { openPage, typeInto } from '../support/browser.js';
import { listen } from '../support/listen.js';

const root = fileURLToPath(new URL('../../examples/react', import.meta.url));

/** Stands in the built app for the gateway, of which the port is not known yet. */
const placeholder = 'http://gateway.invalid/graphql';

const types: Record<string, string> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
};

type Files = ReadonlyMap<string, string | Uint8Array>;

let files: Promise<Files> | undefined;

/** The app as Vite builds it, with React's checks for developers, and the developer's controls. */
async function buildExample(): Promise<Files> {
  const outputs = await build({
    root,
    mode: 'development',
    logLevel: 'warn',
    define: { 'import.meta.env.VITE_GATEWAY_URL': JSON.stringify(placeholder) },
    build: { write: false, minify: false },
  });
  const [output] = Array.isArray(outputs) ? outputs : [outputs];
  if (!output || !('output' in output)) throw new Error('Vite built nothing.');
  return new Map(
    output.output.map((file) => [
      `/${file.fileName}`,
      file.type === 'chunk' ? file.code : file.source,
    ]),
  );
}

/**
 * Serves the app on an origin of its own. It closes when the test ends.
 *
 * @param gatewayUrl asked when the app is loaded: a gateway may have to be told of its origin first
 */
export async function serveExample(gatewayUrl: () => string): Promise<string> {
  files ??= buildExample();
  const built = await files;
  const server = createServer(({ url = '/' }, response) => {
    const path = url === '/' ? '/index.html' : url;
    const file = built.get(path);
    if (file === undefined) return void response.writeHead(404).end();
    response.writeHead(200, { 'content-type': types[extname(path)] ?? 'text/plain' });
    return void response.end(
      typeof file === 'string' ? file.replaceAll(placeholder, `${gatewayUrl()}/graphql`) : file,
    );
  });
  return listen(server);
}

interface Operation {
  readonly operationName: string;
  readonly variables: Readonly<Record<string, unknown>>;
}

/** The app in a browser, in front of a gateway and an emulator of its own. */
export async function openExample(options: TestGatewayOptions = {}) {
  const emulator = await startTestEmulator();
  const operations: Operation[] = [];
  const watched: AppPart = (app) => {
    app.addHook('preHandler', async ({ method, body }) => {
      if (method === 'POST') operations.push(body as Operation);
    });
  };
  const gateway = await startTestGateway({
    studyApiUrl: emulator.url,
    additions: { parts: [watched] },
    ...options,
  });
  const origin = await serveExample(() => gateway.url);
  const opened = await openPage(origin, gateway.url);
  const { page } = opened;
  await page.goto(`${origin}/#/new`);
  await page.getByRole('heading', { name: 'New study' }).waitFor();
  return {
    ...opened,
    emulator,
    /** Returns what the gateway has received from the page: the operations with this name. */
    sent: (name: string) => operations.filter(({ operationName }) => operationName === name),
    /** Chooses what the emulator does from now on. */
    choose: (scenario: string) => page.getByLabel('Scenario').selectOption(scenario),
    create: async (question: string) => {
      await typeInto(page.getByLabel('Question'), question);
      await page.getByRole('button', { name: 'Create study' }).click();
    },
    open: (id: string) => page.goto(`${origin}/#/studies/${id}`),
    /** Opens the list from any page, by its link. */
    openList: () => page.getByRole('link', { name: 'Studies', exact: true }).click(),
    rows: page.getByRole('main').getByRole('listitem'),
    /** Changes the question, on the page of a study. */
    edit: async (question: string) => {
      await page.getByRole('button', { name: 'Edit' }).click();
      await typeInto(page.getByLabel('Question'), question);
      await page.getByRole('button', { name: 'Save changes' }).click();
    },
    /** The notice that says what became of an operation. */
    notice: page.getByRole('alert'),
  };
}

export type Example = Awaited<ReturnType<typeof openExample>>;
