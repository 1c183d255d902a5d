import type { AppPart } from './app.js';

/** Phase of the gateway, which serves requests while `ready` and while `shutting down`. */
export type Phase = 'starting' | 'ready' | 'shutting down';

/**
 * Adds the health endpoints. `GET /health/live` answers 200 while the process runs. `GET /health/ready` answers 503
 * before the server listens, during shutdown, and until the keys of the issuer were there once: then a rollout stops before
 * it replaces gateways that work. The circuit breaker, Redis and later outages of the issuer never change the status: a 503
 * would remove all replicas at once, and clients would no longer learn what is wrong.
 *
 * @param hasIssuerKeys returns whether the keys of the issuer have ever been fetched; tries to fetch them if not
 */
export function addHealth(
  getPhase: () => Phase,
  rest: { readonly circuit: string },
  redis: { readonly state: string } | undefined,
  hasIssuerKeys: () => Promise<boolean>,
): AppPart {
  return (app) => {
    app.get('/health/live', () => ({ status: 'ok' }));
    app.get('/health/ready', async (_, reply) => {
      const hasKeys = await hasIssuerKeys();
      const phase = getPhase();
      const status = phase === 'ready' && !hasKeys ? 'starting' : phase;
      void reply.code(status === 'ready' ? 200 : 503);
      return {
        status,
        waitsFor: hasKeys ? undefined : ['issuer'],
        studyApi: { circuit: rest.circuit },
        redis: redis?.state,
      };
    });
  };
}
