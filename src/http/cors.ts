import type { Config } from '../config/config.js';
import type { AppPart } from './app.js';

const developmentOrigins = [
  'https://studio.apollographql.com',
  /^https?:\/\/(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/,
];

const preflightHeaders = {
  'access-control-allow-methods': 'GET, POST',
  'access-control-allow-headers':
    'authorization, content-type, apollo-require-preflight, apollographql-client-name, apollographql-client-version, x-apollo-operation-name, x-study-explain',
  'access-control-max-age': '600',
};

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
      exposedHeaders:
        'x-request-id, retry-after, www-authenticate, ratelimit-limit, ratelimit-remaining, ratelimit-reset',
      // The hook below answers preflights of allowed origins; the plugin would answer preflights of every origin.
      preflight: false,
    });
    app.addHook('onRequest', ({ method, headers }, reply, done) => {
      const isPreflight =
        method === 'OPTIONS' && headers['access-control-request-method'] !== undefined;
      if (isPreflight && reply.hasHeader('access-control-allow-origin'))
        return reply.code(204).headers(preflightHeaders).send();
      return done();
    });
  };
}

/** Returns what an origin must be, or match if it has a `*`, which stands for one label of the host. The rest is literal. */
function toMatch(origin: string): string | RegExp {
  if (!origin.includes('*')) return origin;
  const literal = origin.replaceAll(/[^\w*]/g, String.raw`\$&`);
  return new RegExp(`^${literal.replace('*', '[a-z0-9-]+')}$`);
}
