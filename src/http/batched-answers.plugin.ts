import type { FastifyInstance } from 'fastify';

/**
 * Writes the answers that have become ready in one turn of the event loop together, at its end. Every write may wake the
 * process that reads, and that one the gateway with its next request: in batches both wake once.
 */
export function addBatchedAnswers(app: FastifyInstance): void {
  app.addHook('onSend', (_request, _reply, payload, done) => {
    // Node runs all that are due before it waits for sockets again.
    setImmediate(done, null, payload);
  });
}
