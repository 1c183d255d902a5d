import { Socket } from 'node:net';
import helmet from 'helmet';
import { IncomingMessage, ServerResponse } from './connection/response-class.js';

const none = ["'none'"];

type Directives = Record<
  string,
  string[] | typeof helmet.contentSecurityPolicy.dangerouslyDisableDefaultSrc
>;

/** Of every answer: it is data, for which a browser may load, frame and send nothing. */
export const dataHeaders = toHeaders({
  defaultSrc: none,
  baseUri: none,
  formAction: none,
  frameAncestors: none,
});

/**
 * Apollo's page brings a policy of its own, by nonces, for what it loads. A browser holds it to both, so this
 * one is silent on what the other allows.
 */
export const pageHeaders = toHeaders({
  defaultSrc: helmet.contentSecurityPolicy.dangerouslyDisableDefaultSrc,
  objectSrc: none,
  baseUri: none,
  formAction: none,
  frameAncestors: none,
});

/** What helmet sets does not depend on the request: it is asked once, at the start. */
function toHeaders(directives: Directives): Record<string, string> {
  const response = new ServerResponse(new IncomingMessage(new Socket()));
  const setHeaders = helmet({
    contentSecurityPolicy: { useDefaults: false, directives },
    // TLS ends in front of the gateway, and what is said about it belongs there.
    strictTransportSecurity: false,
  });
  setHeaders(response.req, response, () => undefined);
  const headers = Object.entries(response.getHeaders());
  return {
    ...Object.fromEntries(headers.map(([name, value]) => [name, String(value)])),
    'cache-control': 'no-store',
  };
}
