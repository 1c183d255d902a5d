import type { FastifyInstance } from 'fastify';

/**
 * `GET /health/live` answers while the process runs. `GET /health/ready` answers 503 as soon as it is shutting
 * down, so that a load balancer looks elsewhere; the state of the circuit to the Study API is told beside it, and
 * does not turn it: every replica would go at once, and with them the errors that say what is wrong. Nor does the
 * state of Redis, without which most things go on.
 */
export function addHealthRoutes(
  app: FastifyInstance,
  isReady: () => boolean,
  getCircuit: () => string,
  getRedis: () => string | undefined,
): void {
  app.get('/health/live', () => ({ status: 'ok' }));
  app.get('/health/ready', (_, reply) =>
    reply.code(isReady() ? 200 : 503).send({
      status: isReady() ? 'ready' : 'shutting down',
      studyApi: { circuit: getCircuit() },
      redis: getRedis(),
    }),
  );
}
