// @module-tag chromium

import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { build, type Plugin } from 'esbuild';
import { expect, it, vi } from 'vitest';
import { clickLikeAPerson, openPage } from '../support/browser.js';
import { startTestEmulator } from '../support/emulator.js';
import { startTestGateway } from '../support/gateway.js';
import { listen } from '../support/listen.js';

vi.setConfig({ testTimeout: 60_000 });

/** The component of a README, as its reader would copy it. */
function readSnippet(document: string): string {
  const [, code = ''] = /^```tsx\n([^]*?)^```$/m.exec(readFileSync(document, 'utf8')) ?? [];
  return code;
}

const files: Readonly<Record<string, string>> = {
  button: readSnippet('README.md'),
  client: readSnippet('packages/client/README.md'),
  main: `
    import { createRoot } from 'react-dom/client';
    import { CreateStudy } from 'snippet:button';
    import { StudyProvider } from 'snippet:client';
    createRoot(document.querySelector('main')).render(<StudyProvider><CreateStudy /></StudyProvider>);`,
};

const snippets: Plugin = {
  name: 'snippets',
  setup(building) {
    building.onResolve({ filter: /^snippet:/ }, ({ path }) => ({
      path: path.slice(8),
      namespace: 'snippet',
    }));
    building.onLoad({ filter: /./, namespace: 'snippet' }, ({ path }) => ({
      contents: files[path] ?? '',
      loader: 'tsx',
      resolveDir: '.',
    }));
  },
};

/** Serves a page with the button. The page sends the token in its address. */
async function serveButton(gatewayUrl: () => string): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: ['snippet:main'],
    plugins: [snippets],
    bundle: true,
    write: false,
    format: 'esm',
    jsx: 'automatic',
    define: { 'process.env.NODE_ENV': '"production"' },
  });
  const script = outputFiles[0]?.text ?? '';
  const server = createServer(({ url }, response) => {
    if (url === '/main.js')
      return void response.writeHead(200, { 'content-type': 'text/javascript' }).end(script);
    return void response.writeHead(200, { 'content-type': 'text/html' }).end(`<!doctype html>
      <link rel="icon" href="data:,"><main></main><script>
      const url = '${gatewayUrl()}/graphql';
      const readToken = () => location.hash.slice(1);
      </script><script type="module" src="/main.js"></script>`);
  });
  return listen(server);
}

it('creates a study by the button of the READMEs, and asks after a lost answer', async () => {
  const emulator = await startTestEmulator();
  const gateway = await startTestGateway({ studyApiUrl: emulator.url });
  const origin = await serveButton(() => gateway.url);
  const { page, foreign, complaints } = await openPage(origin, gateway.url);
  const readIds = async () => {
    const { body } = await emulator.call('GET', '/studies');
    return (body as { items: { id: string }[] }).items.map(({ id }) => id);
  };
  const button = page.getByRole('button');

  await page.goto(`${origin}/#demo-token`);
  await clickLikeAPerson(page.getByRole('button', { name: 'Create' }), 2);
  await page.getByRole('button', { name: /-/ }).waitFor();
  const [created] = await readIds();
  expect(await button.allInnerTexts()).toEqual([created]);

  // The Study API stores it, and nobody hears of it.
  await page.goto(`${origin}/#demo-cut`);
  await clickLikeAPerson(button, 2);
  await page.getByText('Is it stored?').waitFor();
  await page.goto(`${origin}/#demo-token`);
  await clickLikeAPerson(page.getByRole('button', { name: 'No: send it as a new one' }), 2);
  await page.getByRole('button', { name: /-/ }).waitFor();

  const [newest, ...older] = await readIds();
  expect(older).toHaveLength(2);
  expect(await button.allInnerTexts()).toEqual([newest]);
  expect({ foreign, complaints }).toEqual({ foreign: [], complaints: [] });
});
