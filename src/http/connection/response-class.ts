import type * as http from 'node:http';
import { createRequire } from 'node:module';
import { closeGentlyAfterLastAnswer } from './close-gently.js';

const required: typeof http = createRequire(import.meta.url)('node:http');

/**
 * Loaded by `require`: an `import` evaluates every export of `node:http`, and one of them loads Node's own undici, which
 * takes 30 ms of the start.
 */
export const { IncomingMessage, ServerResponse } = required;

/**
 * Writes the answers that become ready in one turn of the event loop together, at the end of the turn. Each write may
 * wake the client, and the client's next request wakes the gateway: a batch wakes each once. For every caller the
 * response has ended at once.
 */
class BatchedResponse<Request extends http.IncomingMessage> extends ServerResponse<Request> {
  #hasEnded = false;

  // Node defines an accessor, which Node's types call a property.
  static {
    Object.defineProperty(this.prototype, 'writableEnded', {
      get(this: BatchedResponse<http.IncomingMessage>) {
        return this.#hasEnded;
      },
    });
  }

  override end(...rest: unknown[]): this {
    if (this.#hasEnded) return this;
    this.#hasEnded = true;
    // Node runs all due immediates before it waits for sockets again.
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the arguments of this very call
    setImmediate(() => super.end(...(rest as Parameters<http.ServerResponse['end']>)));
    return this;
  }
}

/**
 * Creates the class of all responses. Node makes the responses, so what every answer needs passes no hook. Each response
 * has `headers`, unless it sets headers of the same names. A response says `connection: close` while the gateway closes,
 * and when the request's body is not read to its end.
 *
 * @param headers by names in lower case
 */
export function createResponseClass(
  headers: http.OutgoingHttpHeaders,
  isClosing: () => boolean,
): typeof http.ServerResponse {
  return class<Request extends http.IncomingMessage> extends BatchedResponse<Request> {
    /** Takes the response's headers as an object with names in lower case, as Fastify gives them; the reason phrase is Node's. */
    override writeHead(status: number, ...rest: unknown[]): this {
      const own = rest.at(-1);
      const { req, headersSent } = this;
      const isUnread = hasUnreadBody(req);
      if (!headersSent && (isUnread || isClosing())) this.setHeader('connection', 'close');
      if (isUnread) closeGentlyAfterLastAnswer(req.socket);
      const given = typeof own === 'object' && own;
      return super.writeHead(status, { ...headers, ...this.getHeaders(), ...given });
    }
  };
}

function hasUnreadBody({ complete, headers }: http.IncomingMessage): boolean {
  if (complete) return false;
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}
