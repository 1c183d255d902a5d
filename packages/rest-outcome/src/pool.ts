import { isIPv6 } from 'node:net';
import {
  EnvHttpProxyAgent,
  fetch,
  Pool,
  type Agent,
  type Dispatcher,
  type RequestInit,
} from 'undici';

/** URLs of proxies by the protocol of the origin, '' for none, and `noProxy`: the hosts without a proxy, separated by commas. */
export interface Proxies {
  readonly httpProxy: string;
  readonly httpsProxy: string;
  readonly noProxy: string;
}

/**
 * Time after which an idle connection is closed. Shorter than the API's own timeout (gunicorn 2 s, uvicorn and Node
 * 5 s), because a call fails if it is sent while the API closes the connection.
 */
const KEEP_ALIVE_MS = 1_500;
/** Time subtracted from the timeout that the API announces in a `Keep-Alive` header. */
const KEEP_ALIVE_MARGIN_MS = 2_000;

/**
 * Reads the variables of proxies that curl and other programs share, in lower or upper case. Never uses a proxy for this
 * machine.
 *
 * @returns `proxies` if there is any, and a sentence for each invalid variable
 */
export function readProxies(environment: Readonly<Record<string, string | undefined>>) {
  const read = (name: string): string => environment[name.toLowerCase()] || environment[name] || '';
  const [httpProxy, httpsProxy, given] = [
    read('HTTP_PROXY'),
    read('HTTPS_PROXY'),
    read('NO_PROXY'),
  ];
  const problems = ['HTTP_PROXY', 'HTTPS_PROXY']
    .filter((name) => read(name) !== '' && !isProxy(read(name)))
    .map(
      (name) =>
        `${name} must be an http or https URL whose user and password are percent-encoded UTF-8.`,
    );
  if (!httpProxy && !httpsProxy) return { problems };
  if (!given.split(/[,\s]+/).every(isNoProxyEntry))
    problems.push(
      'NO_PROXY must be *, or hosts such as a.example, .svc or [fd00::2]:443, separated by commas or spaces: no ranges such as 10.0.0.0/8.',
    );
  const noProxy = `${given},localhost,127.0.0.1,::1`;
  return { proxies: { httpProxy, httpsProxy, noProxy }, problems };
}

/** undici decodes user and password only when it creates the agent. */
function isProxy(text: string): boolean {
  try {
    const { protocol, username, password } = new URL(text);
    decodeURIComponent(`${username}:${password}`);
    return protocol === 'http:' || protocol === 'https:';
  } catch {
    return false;
  }
}

/** Returns true for what undici can match with the host of a URL. It compares texts, so a host must have the form that URLs give it. */
function isNoProxyEntry(entry: string): boolean {
  if (entry === '' || entry === '*') return true;
  const host = isIPv6(entry) ? `[${entry}]` : entry.replace(/^\*?\./, '').replace(/:\d{1,5}$/, '');
  return (
    /^([\w-]+(\.[\w-]+)*\.?|\[[\da-f:.]+\])$/i.test(host) &&
    URL.parse(`http://${host}`)?.hostname === host.toLowerCase()
  );
}

function toPoolOptions(connections: number, connectTimeoutMs: number) {
  return {
    connections,
    // If a connection with pipelined requests broke, nobody could tell which of the requests had arrived.
    pipelining: 1,
    allowH2: false,
    connect: { allowH2: false, timeout: connectTimeoutMs },
    keepAliveTimeout: KEEP_ALIVE_MS,
    keepAliveTimeoutThreshold: KEEP_ALIVE_MARGIN_MS,
    // Disabled, because the deadline of `Exchange` covers headers and body.
    headersTimeout: 0,
    bodyTimeout: 0,
  };
}

export function createPool(origin: string, connections: number, connectTimeoutMs: number): Pool {
  return new Pool(origin, toPoolOptions(connections, connectTimeoutMs));
}

/** Creates an agent whose connections through a proxy are tunnels. A tunnel that fails is a connection that fails. */
function createAgent(proxies: Proxies, connectTimeoutMs: number, options: Agent.Options) {
  return new EnvHttpProxyAgent({
    ...options,
    ...proxies,
    // Without a tunnel, an answer of the proxy would look like an answer of the API.
    proxyTunnel: true,
    proxyTls: { allowH2: false, timeout: connectTimeoutMs },
    connectTimeout: connectTimeoutMs,
    clientFactory: (proxy, given: Pool.Options) =>
      new Pool(proxy, { ...given, allowH2: false, headersTimeout: connectTimeoutMs }),
  });
}

/** Like `createPool`, through the proxy that applies to the origin. */
export function createProxiedPool(
  proxies: Proxies,
  origin: string,
  connections: number,
  connectTimeoutMs: number,
) {
  let pool: Pool | undefined;
  let isDestroyed = false;
  const agent = createAgent(proxies, connectTimeoutMs, {
    ...toPoolOptions(connections, connectTimeoutMs),
    factory: (url, options: Pool.Options) => (pool = new Pool(url, options)),
  });
  return {
    dispatch: (options: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler) =>
      agent.dispatch({ ...options, origin }, handler),
    get destroyed() {
      return isDestroyed;
    },
    get stats() {
      return pool?.stats ?? { connected: 0, free: 0 };
    },
    close: () => agent.close(),
    destroy: () => {
      isDestroyed = true;
      return agent.destroy();
    },
  };
}

/** Returns a `fetch` that connects through proxies. */
export function createProxiedFetch(proxies: Proxies, connectTimeoutMs = 2_000) {
  const dispatcher = createAgent(proxies, connectTimeoutMs, {});
  return (url: URL | string, init: RequestInit) => fetch(url, { ...init, dispatcher });
}
