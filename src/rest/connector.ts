import { buildConnector, errors } from 'undici';

/** Limit of an attempt to connect. Retries need time before the deadline, and a reachable API accepts in far less. */
const CONNECT_TIMEOUT_MS = 2_000;

/**
 * Returns a connector that fails after `timeoutMs`. undici's own timeout fires up to a second late, and here only
 * closes the sockets of abandoned attempts.
 */
export function createConnector(timeoutMs = CONNECT_TIMEOUT_MS): buildConnector.connector {
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
