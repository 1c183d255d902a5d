import type { AppPart } from './app.js';

interface HealthAnswer {
  readonly status: 200 | 503;
  readonly body: object;
}

/** Functions that return the current answer of a health endpoint, by path. */
export type Health = ReadonlyMap<string, () => HealthAnswer>;

/** Phase of the gateway, which serves requests while `ready` and while `shutting down`. */
export type Phase = 'starting' | 'ready' | 'shutting down';

/**
 * Creates the health endpoints. `GET /health/live` answers 200 while the process runs. `GET /health/ready` answers 503
 * before the server listens and during shutdown, so that load balancers send no requests. The circuit breaker and Redis
 * appear in the body only: a 503 would remove all replicas at once, and clients would no longer learn what is wrong.
 */
export function createHealth(
  getPhase: () => Phase,
  rest: { readonly circuit: string },
  redis: { readonly state: string } | undefined,
): Health {
  const answerReady = (): HealthAnswer => {
    const phase = getPhase();
    const body = { status: phase, studyApi: { circuit: rest.circuit }, redis: redis?.state };
    return { status: phase === 'ready' ? 200 : 503, body };
  };
  return new Map([
    ['/health/live', () => ({ status: 200, body: { status: 'ok' } })],
    ['/health/ready', answerReady],
  ]);
}

export function addHealth(health: Health): AppPart {
  return (app) => {
    for (const [path, answer] of health)
      app.get(path, (_, reply) => {
        const { status, body } = answer();
        return reply.code(status).send(body);
      });
  };
}
