import { Socket } from 'node:net';
import helmet from 'helmet';
import { IncomingMessage, ServerResponse } from './response-class.js';

/** Headers of every answer. */
export const dataHeaders = {
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
} as const;

const none = ["'none'"];

/**
 * Returns helmet's headers for a page. Call once for each page: helmet's headers do not depend on the request.
 *
 * @param loading directives of the Content-Security-Policy that say what the page may load
 */
export function createPageHeaders(loading: Record<string, string[]>): Record<string, string> {
  const response = new ServerResponse(new IncomingMessage(new Socket()));
  const setHeaders = helmet({
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: helmet.contentSecurityPolicy.dangerouslyDisableDefaultSrc,
        ...loading,
        baseUri: none,
        formAction: none,
        frameAncestors: none,
      },
    },
    // The proxy that terminates TLS must set this header.
    strictTransportSecurity: false,
  });
  setHeaders(response.req, response, () => undefined);
  const headers = Object.entries(response.getHeaders());
  return Object.fromEntries(headers.map(([name, value]) => [name, String(value)]));
}
