import { Socket } from 'node:net';
import helmet from 'helmet';
import { IncomingMessage, ServerResponse } from './connection/response-class.js';

const none = ["'none'"];

const { dangerouslyDisableDefaultSrc } = helmet.contentSecurityPolicy;

/** Headers of every answer. They forbid browsers to load resources, to submit forms, and to frame the answer. */
export const dataHeaders = toHeaders({ defaultSrc: none });

/**
 * Headers of Apollo's landing page. The page's own content security policy, with nonces, restricts loading. Browsers
 * enforce both policies, so the policy of these headers does not restrict loading.
 */
export const pageHeaders = toHeaders({ defaultSrc: dangerouslyDisableDefaultSrc, objectSrc: none });

/** Computes helmet's headers, once at the start: helmet's headers do not depend on the request. */
function toHeaders(
  loading: Record<string, string[] | typeof dangerouslyDisableDefaultSrc>,
): Record<string, string> {
  const response = new ServerResponse(new IncomingMessage(new Socket()));
  const directives = { ...loading, baseUri: none, formAction: none, frameAncestors: none };
  const setHeaders = helmet({
    contentSecurityPolicy: { useDefaults: false, directives },
    // The proxy that terminates TLS must set this header.
    strictTransportSecurity: false,
  });
  setHeaders(response.req, response, () => undefined);
  const headers = Object.entries(response.getHeaders());
  return {
    ...Object.fromEntries(headers.map(([name, value]) => [name, String(value)])),
    'cache-control': 'no-store',
  };
}
