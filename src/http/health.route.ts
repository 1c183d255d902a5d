import type { AppPart } from './app.js';

interface HealthAnswer {
  readonly status: 200 | 503;
  readonly body: object;
}

/** Returns the current answer of each path. */
export type Health = ReadonlyMap<string, () => HealthAnswer>;

/** The phase of the gateway; it takes requests in `ready` and `shutting down`. */
export type Phase = 'starting' | 'ready' | 'shutting down';

/**
 * `GET /health/live` answers while the process runs. `GET /health/ready` answers 503 as soon as the gateway shuts down, so
 * that a load balancer looks elsewhere. The states of the circuit breaker and of Redis are in the body and never make the
 * answer a 503: every replica would go at once, and with them the errors that say what is wrong.
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
