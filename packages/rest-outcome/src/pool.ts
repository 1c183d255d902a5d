import { buildConnector, errors, Pool } from 'undici';

export interface PoolOptions {
  /** Base URL of the API. May have a path, with or without a trailing slash: `https://api.example.com/api/v1`. */
  readonly baseUrl: URL | string;
  /** Timeout for making one connection. The time counts towards the deadline. Default: 2 s. */
  readonly connectTimeoutMs?: number | undefined;
}

/** Retries need time before the deadline, and a reachable API accepts in far less. */
const CONNECT_TIMEOUT_MS = 2_000;
/**
 * Time after which an idle connection is closed. Shorter than the API's own timeout (gunicorn 2 s, uvicorn and Node
 * 5 s), because a call fails if it is sent while the API closes the connection.
 */
const KEEP_ALIVE_MS = 1_500;
/** Time subtracted from the timeout that the API announces in a `Keep-Alive` header. */
const KEEP_ALIVE_MARGIN_MS = 2_000;

/** @param connections maximum number */
export function createPool(
  { baseUrl, connectTimeoutMs = CONNECT_TIMEOUT_MS }: PoolOptions,
  connections: number,
): Pool {
  return new Pool(new URL(baseUrl).origin, {
    connections,
    // If a connection with pipelined requests broke, nobody could tell which of the requests had arrived.
    pipelining: 1,
    allowH2: false,
    connect: createConnector(connectTimeoutMs),
    keepAliveTimeout: KEEP_ALIVE_MS,
    keepAliveTimeoutThreshold: KEEP_ALIVE_MARGIN_MS,
    // Disabled, because the deadline of `Exchange` covers headers and body.
    headersTimeout: 0,
    bodyTimeout: 0,
  });
}

/** Returns the path of the base URL, without a trailing slash. */
export function toBasePath({ baseUrl }: PoolOptions): string {
  return new URL(baseUrl).pathname.replace(/\/+$/, '');
}

/**
 * Returns a connector that fails after `timeoutMs`. undici's own timeout fires up to a second late, and here only
 * closes the sockets of abandoned attempts.
 */
function createConnector(timeoutMs: number): buildConnector.connector {
  const connect = buildConnector({ allowH2: false, timeout: timeoutMs });
  return (options, callback) => {
    let isGivenUp = false;
    const timer = setTimeout(() => {
      isGivenUp = true;
      callback(new errors.ConnectTimeoutError(`no connection within ${timeoutMs} ms`), null);
    }, timeoutMs);
    connect(options, (...[error, socket]) => {
      clearTimeout(timer);
      if (isGivenUp) socket?.destroy();
      else if (error) callback(error, null);
      else callback(null, socket);
    });
  };
}
