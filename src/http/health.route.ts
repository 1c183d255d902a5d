import type { FastifyInstance } from 'fastify';

/**
 * `GET /health/live` answers while the process runs; `GET /health/ready` answers 503 as soon as it is
 * shutting down, so that a load balancer looks elsewhere.
 */
export function addHealthRoutes(app: FastifyInstance, isReady: () => boolean): void {
  app.get('/health/live', () => ({ status: 'ok' }));
  app.get('/health/ready', (_, reply) =>
    isReady() ? reply.send({ status: 'ready' }) : reply.code(503).send({ status: 'shutting down' }),
  );
}
