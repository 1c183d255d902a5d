import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http';
import { BatchedResponse } from './batched-response.js';
import { closeGently } from './close-gently.js';

/**
 * The class of all responses. Node makes them, so that what is true of every answer need not pass a hook: each has the
 * given headers, unless it has others of the same names, and says so when it is the last of its connection, which it is
 * while the gateway closes, and when it does not wait for the end of the body.
 *
 * @param headers by names in lower case
 */
export function createResponseClass(
  headers: OutgoingHttpHeaders,
  isClosing: () => boolean,
): typeof ServerResponse {
  return class<Request extends IncomingMessage> extends BatchedResponse<Request> {
    /** Its own headers come as an object with names in lower case, as Fastify gives them; the reason phrase is Node's. */
    override writeHead(status: number, ...rest: unknown[]): this {
      const own = rest.at(-1);
      const { req, headersSent } = this;
      const isUnread = hasUnreadBody(req);
      if (!headersSent && (isUnread || isClosing())) this.setHeader('connection', 'close');
      // Node calls it when the last answer has been written.
      if (isUnread) req.socket.destroySoon = () => closeGently(req.socket);
      const given = typeof own === 'object' && own;
      return super.writeHead(status, { ...headers, ...this.getHeaders(), ...given });
    }
  };
}

function hasUnreadBody({ complete, headers }: IncomingMessage): boolean {
  if (complete) return false;
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}
