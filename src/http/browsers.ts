import type { Config } from '../config/config.js';
import type { AppPart } from './app.js';

const developmentOrigins = [
  'https://studio.apollographql.com',
  /^https?:\/\/(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/,
];

/**
 * Allows pages of the configured origins to read answers; outside production, pages of Apollo Sandbox and of this machine
 * too. Returns `undefined` if no origin is allowed.
 */
export function addCors(
  { corsOrigins }: Config['http'],
  isProduction: boolean,
): AppPart | undefined {
  const allowed = [...corsOrigins.map(toMatch), ...(isProduction ? [] : developmentOrigins)];
  if (allowed.length === 0) return undefined;
  return async (app) => {
    const { default: cors } = await import('@fastify/cors');
    await app.register(cors, {
      origin: allowed,
      methods: 'GET, POST',
      allowedHeaders:
        'authorization, content-type, apollo-require-preflight, apollographql-client-name, apollographql-client-version, x-apollo-operation-name, x-study-explain',
      exposedHeaders: 'x-request-id, retry-after, www-authenticate',
      maxAge: 600,
      // Would answer an OPTIONS that is no preflight with 400 in plain text.
      strictPreflight: false,
    });
  };
}

/** Returns what an origin must be, or match if it has a `*`, which stands for one label of the host. The rest is literal. */
function toMatch(origin: string): string | RegExp {
  if (!origin.includes('*')) return origin;
  const literal = origin.replaceAll(/[^\w*]/g, String.raw`\$&`);
  return new RegExp(`^${literal.replace('*', '[a-z0-9-]+')}$`);
}

/**
 * Returns the headers of an answer with a page.
 *
 * @param loading directives of the Content-Security-Policy that say what the page may load
 */
export function toPageHeaders(loading: string) {
  return {
    'content-security-policy': `${loading};base-uri 'none';form-action 'none';frame-ancestors 'none'`,
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    'referrer-policy': 'no-referrer',
    'x-frame-options': 'DENY',
  };
}
