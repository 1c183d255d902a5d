import type { AppPart } from './app.js';

/** Phase of the gateway, which serves requests while `ready` and while `shutting down`. */
export type Phase = 'starting' | 'ready' | 'shutting down';

/**
 * Adds the health endpoints. `GET /health/live` answers 200 while the process runs. `GET /health/ready` answers 503
 * before the server listens, during shutdown, and until what the gateway needs was there once: then a rollout stops before
 * it replaces gateways that work. The circuit breaker, and later outages of Redis and the issuer, never change the status:
 * a 503 would remove all replicas at once, and clients would no longer learn what is wrong.
 *
 * @param redisOfKeys Redis if it holds the idempotency keys
 * @param hasIssuerKeys returns whether the keys of the issuer have ever been fetched; tries to fetch them if not
 */
export function addHealth(
  getPhase: () => Phase,
  rest: { readonly circuit: string },
  redis: { readonly state: string } | undefined,
  redisOfKeys: { onReady(listener: () => void): void } | undefined,
  hasIssuerKeys: () => Promise<boolean>,
): AppPart {
  const waitsFor = new Set(redisOfKeys ? ['issuer', 'redis'] : ['issuer']);
  redisOfKeys?.onReady(() => waitsFor.delete('redis'));
  return (app) => {
    app.get('/health/live', () => ({ status: 'ok' }));
    app.get('/health/ready', async (_, reply) => {
      if (waitsFor.has('issuer') && (await hasIssuerKeys())) waitsFor.delete('issuer');
      const phase = getPhase();
      const status = phase === 'ready' && waitsFor.size > 0 ? 'starting' : phase;
      void reply.code(status === 'ready' ? 200 : 503);
      return {
        status,
        waitsFor: waitsFor.size > 0 ? [...waitsFor] : undefined,
        studyApi: { circuit: rest.circuit },
        redis: redis?.state,
      };
    });
  };
}
