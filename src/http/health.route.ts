import type { AppPart } from './app.js';

interface HealthAnswer {
  readonly status: 200 | 503;
  readonly body: object;
}

/** What each path answers now. */
export type Health = ReadonlyMap<string, () => HealthAnswer>;

/** Whether the gateway takes requests; before, it does not listen yet. */
export type Phase = 'starting' | 'ready' | 'shutting down';

/**
 * `GET /health/live` answers while the process runs. `GET /health/ready` answers 503 as soon as it is shutting
 * down, so that a load balancer looks elsewhere; the state of the circuit to the Study API is told beside it, and
 * does not turn it: every replica would go at once, and with them the errors that say what is wrong. Nor does the
 * state of Redis, without which most things go on.
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
