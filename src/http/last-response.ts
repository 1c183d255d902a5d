import type { IncomingMessage, ServerResponse } from 'node:http';
import { BatchedResponse } from './batched-response.js';
import { closeGently } from './close-gently.js';

/**
 * A class of responses that say so when they are the last of their connection: while the gateway closes, and when the
 * answer does not wait for the end of the body. Node makes them, so that no answer has to pass a hook for it.
 */
export function createResponseClass(isClosing: () => boolean): typeof ServerResponse {
  return class<Request extends IncomingMessage> extends BatchedResponse<Request> {
    override writeHead(...head: unknown[]): this {
      const { req, headersSent } = this;
      const isUnread = hasUnreadBody(req);
      if (!headersSent && (isUnread || isClosing())) this.setHeader('connection', 'close');
      // Node calls it when the last answer has been written.
      if (isUnread) req.socket.destroySoon = () => closeGently(req.socket);
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what it was called with
      return super.writeHead(...(head as Parameters<ServerResponse['writeHead']>));
    }
  };
}

function hasUnreadBody({ complete, headers }: IncomingMessage): boolean {
  if (complete) return false;
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}
