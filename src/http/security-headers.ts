import { Socket } from 'node:net';
import helmet from 'helmet';
import { IncomingMessage, ServerResponse } from './connection/response-class.js';

const none = ["'none'"];

type Directives = Record<
  string,
  string[] | typeof helmet.contentSecurityPolicy.dangerouslyDisableDefaultSrc
>;

/** Headers of every answer: a browser may load, frame and send nothing for an answer of data. */
export const dataHeaders = toHeaders({
  defaultSrc: none,
  baseUri: none,
  formAction: none,
  frameAncestors: none,
});

/**
 * Headers of Apollo's page, which brings its own policy, by nonces, for what the page loads. A browser enforces both
 * policies, so this policy does not restrict loading.
 */
export const pageHeaders = toHeaders({
  defaultSrc: helmet.contentSecurityPolicy.dangerouslyDisableDefaultSrc,
  objectSrc: none,
  baseUri: none,
  formAction: none,
  frameAncestors: none,
});

/** Computes helmet's headers once, at the start: they do not depend on the request. */
function toHeaders(directives: Directives): Record<string, string> {
  const response = new ServerResponse(new IncomingMessage(new Socket()));
  const setHeaders = helmet({
    contentSecurityPolicy: { useDefaults: false, directives },
    // TLS ends in front of the gateway, and its headers belong there.
    strictTransportSecurity: false,
  });
  setHeaders(response.req, response, () => undefined);
  const headers = Object.entries(response.getHeaders());
  return {
    ...Object.fromEntries(headers.map(([name, value]) => [name, String(value)])),
    'cache-control': 'no-store',
  };
}
