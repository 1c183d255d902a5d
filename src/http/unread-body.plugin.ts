import type { FastifyInstance, FastifyRequest } from 'fastify';
import { closeGently } from './close-gently.js';

/** An answer that does not wait for the end of the body is the last of its connection. */
export function addUnreadBodies(app: FastifyInstance): void {
  app.addHook('onSend', (request, reply, _, done) => {
    if (hasUnreadBody(request)) {
      const { socket } = request.raw;
      void reply.header('connection', 'close');
      // Node calls it when the last answer has been written.
      socket.destroySoon = () => closeGently(socket);
    }
    done();
  });
}

function hasUnreadBody({ raw: { complete, headers } }: FastifyRequest): boolean {
  if (complete) return false;
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}
