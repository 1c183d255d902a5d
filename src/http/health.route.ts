import type { AppPart } from './app.js';

/** Phase of the gateway, which serves requests while `ready` and while `shutting down`. */
export type Phase = 'starting' | 'ready' | 'shutting down';

interface Needs {
  /** Returns whether the keys of the issuer have ever been fetched; tries to fetch them if not. */
  readonly hasIssuerKeys: () => Promise<boolean>;
  /** Whether Redis holds the idempotency keys. */
  readonly isRedisNeeded: boolean;
}

/**
 * Adds the health endpoints. `GET /health/live` answers 200 while the process runs. `GET /health/ready` answers 503
 * before the server listens, during shutdown, and until what the gateway needs was there once: then a rollout stops before
 * it replaces gateways that work. The circuit breaker, and later outages of Redis and the issuer, never change the status:
 * a 503 would remove all replicas at once, and clients would no longer learn what is wrong.
 */
export function addHealth(
  getPhase: () => Phase,
  rest: { readonly circuit: string },
  redis: { readonly state: string; onReady(listener: () => void): void } | undefined,
  { hasIssuerKeys, isRedisNeeded }: Needs,
): AppPart {
  const waitsFor = new Set(['issuer']);
  if (redis && isRedisNeeded) waitsFor.add('redis');
  redis?.onReady(() => waitsFor.delete('redis'));
  return (app) => {
    app.get('/health/live', () => ({ status: 'ok' }));
    app.get('/health/ready', async (_, reply) => {
      if (waitsFor.has('issuer') && (await hasIssuerKeys())) waitsFor.delete('issuer');
      const phase = getPhase();
      const isWaiting = phase === 'ready' && waitsFor.size > 0;
      void reply.code(phase === 'ready' && !isWaiting ? 200 : 503);
      return {
        status: isWaiting ? 'starting' : phase,
        waitsFor: isWaiting ? [...waitsFor] : undefined,
        studyApi: { circuit: rest.circuit },
        redis: redis?.state,
      };
    });
  };
}
