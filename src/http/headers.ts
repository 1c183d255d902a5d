import type { FastifyReply } from 'fastify';
import helmet from 'helmet';

/** Headers of every answer. */
export const dataHeaders = {
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
} as const;

const none = ["'none'"];

/**
 * Returns a function that sets helmet's headers on the answer with a page.
 *
 * @param loading directives of the Content-Security-Policy that say what the page may load
 */
export function createPageHeaders(loading: Record<string, string[]>) {
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
  return ({ request, raw }: FastifyReply): void => setHeaders(request.raw, raw, () => undefined);
}
