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

/** Creates an agent whose connections through a proxy are tunnels. A tunnel that fails is a connection that fails. */
function createAgent(proxies: Proxies, connectTimeoutMs: number, options: Agent.Options) {
  return new EnvHttpProxyAgent({
    ...options,
    ...proxies,
    // Without a tunnel, an answer of the proxy would look like an answer of the API.
    proxyTunnel: true,
    proxyTls: { allowH2: false, timeout: connectTimeoutMs },
    connectTimeout: connectTimeoutMs,
    clientFactory: (proxy, options: Pool.Options) =>
      new Pool(proxy, { ...options, allowH2: false, headersTimeout: connectTimeoutMs }),
  });
}

/** Creates the connections to one origin, through the proxy that applies to the origin, if there is one. */
export function createPool(
  origin: string,
  connections: number,
  connectTimeoutMs: number,
  proxies: Proxies | undefined,
): Dispatcher {
  const options = {
    connections,
    // If a connection with pipelined requests broke, nobody could tell which of the requests had arrived.
    pipelining: 1,
    allowH2: false,
    connect: { allowH2: false, timeout: connectTimeoutMs },
    keepAliveTimeout: KEEP_ALIVE_MS,
    // Disabled, because the deadline of `Exchange` covers headers and body.
    headersTimeout: 0,
    bodyTimeout: 0,
  };
  return proxies ? createAgent(proxies, connectTimeoutMs, options) : new Pool(origin, options);
}

/** Returns a `fetch` that connects through proxies. */
export function createProxiedFetch(proxies: Proxies, connectTimeoutMs = 2_000) {
  const dispatcher = createAgent(proxies, connectTimeoutMs, {});
  return (url: URL | string, init: RequestInit) => fetch(url, { ...init, dispatcher });
}
