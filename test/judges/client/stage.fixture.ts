import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { build } from 'esbuild';
import type { Page } from 'playwright-core';
import { openPage } from '../../support/browser.js';
import { startTestEmulator } from '../../support/emulator.js';
import { startTestGateway } from '../../support/gateway.js';
import { listen } from '../../support/listen.js';

/** A page without a form: a test writes through the client library, and decides about what is unsettled. */
const script = `
import { ApolloClient, HttpLink, InMemoryCache, gql } from '@apollo/client';
import { safeWrites } from 'study-gateway-client';

const params = new URLSearchParams(location.search);
const url = location.origin + '/graphql';
window.owner = params.get('owner') ?? 'ada';
const { fetch: safeFetch, unsettledWrites } = safeWrites({
  fetch,
  url,
  headers: () => ({ authorization: 'Bearer demo-token', 'x-attempt': crypto.randomUUID() }),
  owner: () => window.owner,
});
const link = new HttpLink({ uri: url, fetch: safeFetch });
const client = new ApolloClient({ link, cache: new InMemoryCache() });
window.judge = {
  write: (document, variables) =>
    client.mutate({ mutation: gql(document), variables })
      .then(({ data }) => ({ data }), (error) => ({ error: String(error) })),
  list: () => unsettledWrites.list().map(({ input, stored, isExpired, sendAgain }) =>
    ({ input, stored, isExpired, isSendable: Boolean(sendAgain) })),
  decide: async (decision) => {
    const [write] = unsettledWrites.list();
    return write ? await Promise.resolve(write[decision]()).then(() => 'done', String) : 'nothing';
  },
};
document.body.append('ready');`;

const CREATE = `mutation NewStudy($input: CreateStudyInput!, $key: UUID) {
  createStudy(input: $input, idempotencyKey: $key) { id description }
}`;
const EDIT = `mutation ChangeStudy($id: UUID!, $input: EditStudyInput!, $key: UUID) {
  editStudy(id: $id, input: $input, idempotencyKey: $key) { id description }
}`;

let bundle: Promise<string> | undefined;

async function buildScript(): Promise<string> {
  const { outputFiles } = await build({
    stdin: { contents: script, resolveDir: '.', loader: 'js' },
    bundle: true,
    write: false,
    format: 'esm',
    define: { 'process.env.NODE_ENV': '"development"', 'globalThis.__DEV__': 'true' },
    logLevel: 'error',
  });
  return outputFiles[0]?.text ?? '';
}

/** What the proxy does with a write. `After`: once the gateway has answered. */
type Way = 'pass' | 'hold' | 'holdThenCut' | 'cutBefore' | 'cutAfter';

interface Unsettled {
  readonly input?: object;
  readonly stored: boolean;
  readonly isExpired: boolean;
  readonly isSendable: boolean;
}

interface Variables {
  readonly input: { readonly description: string };
  readonly key?: string;
}

export interface Tab {
  readonly page: Page;
  readonly create: (description: string) => Promise<{ error?: string }>;
  readonly edit: (id: string, input: object) => Promise<{ error?: string }>;
  readonly list: () => Promise<readonly Unsettled[]>;
  /** Decides about the oldest unsettled write, and waits for what comes of that. */
  readonly decide: (decision: 'sendAgain' | 'sendAsNew' | 'forget') => Promise<string>;
}

/** A gateway with an emulator behind a proxy that misbehaves, and pages of its origin in one browser. */
export async function openStage() {
  const emulator = await startTestEmulator();
  const gateway = await startTestGateway({ studyApiUrl: emulator.url });
  bundle ??= buildScript();
  const built = await bundle;
  const ways: Way[] = [];
  const sent: Variables[] = [];
  const held: (() => void)[] = [];
  let usualWay: Way = 'pass';
  let cut: { attempt: unknown; way: Way } | undefined;

  /** Chromium itself repeats at once what was cut on a connection that it had opened ahead: that meets the same way. */
  function nextWay(body: string, attempt: unknown): Way {
    const isRepeat = cut?.attempt === attempt;
    if (!isRepeat) sent.push((JSON.parse(body) as { variables: Variables }).variables);
    const way = (isRepeat ? cut?.way : ways.shift()) ?? usualWay;
    if (way.startsWith('cut')) cut = { attempt, way };
    return way;
  }

  async function forward(request: IncomingMessage, body: string): Promise<string> {
    const { authorization = '' } = request.headers;
    const answer = await fetch(`${gateway.url}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization },
      body,
    });
    return answer.text();
  }

  async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    response.shouldKeepAlive = false;
    const { pathname } = new URL(request.url ?? '/', 'http://page');
    const send = (status: number, type: string, answer: string) =>
      void response.writeHead(status, { 'content-type': type }).end(answer);
    if (pathname === '/')
      return send(200, 'text/html', '<body><script type="module" src="/js"></script>');
    if (pathname === '/js') return send(200, 'text/javascript', built);
    if (pathname !== '/graphql') return send(404, 'text/plain', '');
    const body = await text(request);
    const attempt = request.headers['x-attempt'];
    const way = nextWay(body, attempt);
    if (way.startsWith('hold')) await new Promise<void>((resolve) => held.push(resolve));
    if (way === 'holdThenCut') {
      cut = { attempt, way: 'cutBefore' };
      return void request.socket.destroy();
    }
    if (way === 'cutBefore') return void request.socket.destroy();
    const answer = await forward(request, body);
    if (way === 'cutAfter') return void request.socket.destroy();
    return send(200, 'application/json', answer);
  }

  const server = createServer((request, response) => void respond(request, response));
  const origin = await listen(server);
  const opened = await openPage(origin);
  const context = opened.page.context();
  // A tenth of the waits: what is waited for stays in its order.
  await context.addInitScript(`const wait = setTimeout;
    window.setTimeout = (action, ms, ...rest) => wait(action, ms / 10, ...rest);`);

  async function openTab(query = '', sameOrigin = true): Promise<Tab> {
    const page = sameOrigin ? await context.newPage() : (await openPage(origin)).page;
    await page.goto(`${origin}/?${query}`);
    await page.getByText('ready').waitFor();
    const call = <Result>(method: string, ...args: unknown[]): Promise<Result> =>
      page.evaluate(`judge.${method}(...${JSON.stringify(args)})`);
    return {
      page,
      create: (description) => call('write', CREATE, { input: { description } }),
      edit: (id, input) => call('write', EDIT, { id, input }),
      list: () => call('list'),
      decide: (decision) => call('decide', decision),
    };
  }

  return {
    context,
    openTab,
    emulator,
    /** The variables of the writes that came to the proxy, in their order. */
    sent,
    /** What the proxy does with the next writes, and then with all others. */
    behave: (next: readonly Way[], usual: Way = 'pass') => {
      ways.splice(0, ways.length, ...next);
      usualWay = usual;
    },
    release: () => held.splice(0).forEach((end) => end()),
    /** Descriptions of all studies of the Study API, asked directly, sorted. */
    readStored: async (): Promise<readonly string[]> => {
      const { body } = await emulator.call('GET', '/studies?page=1&size=100');
      const { items } = body as { items: { description: string }[] };
      return items.map(({ description }) => description).toSorted();
    },
  };
}
