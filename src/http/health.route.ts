import type { AppPart } from './app.js';

/** Phase of the gateway, which serves requests while `ready` and while `shutting down`. */
export type Phase = 'starting' | 'ready' | 'shutting down';

/**
 * Adds the health endpoints. `GET /health/live` answers 200 while the process runs. `GET /health/ready` answers 503
 * before the server listens and during shutdown, so that load balancers send no requests. The circuit breaker and Redis
 * appear in the body only: a 503 would remove all replicas at once, and clients would no longer learn what is wrong.
 */
export function addHealth(
  getPhase: () => Phase,
  rest: { readonly circuit: string },
  redis: { readonly state: string } | undefined,
): AppPart {
  return (app) => {
    app.get('/health/live', () => ({ status: 'ok' }));
    app.get('/health/ready', (_, reply) => {
      const phase = getPhase();
      void reply.code(phase === 'ready' ? 200 : 503);
      return { status: phase, studyApi: { circuit: rest.circuit }, redis: redis?.state };
    });
  };
}
