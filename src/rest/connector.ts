import { buildConnector, errors } from 'undici';

/**
 * Makes connections, and gives up after `timeoutMs`. undici's own timeout comes up to a second late; here that
 * timeout only closes connections that were given up.
 */
export function createConnector(timeoutMs: number): buildConnector.connector {
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
