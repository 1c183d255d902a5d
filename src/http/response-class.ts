import type * as http from 'node:http';
import { createRequire } from 'node:module';
import { closeGentlyAfterLastAnswer } from './close-gently.js';

const required: typeof http = createRequire(import.meta.url)('node:http');

/**
 * Node's classes, loaded by `require`: an `import` would evaluate every export of `node:http`, and one export loads
 * Node's own undici, which delays the start by 30 ms.
 */
export const { IncomingMessage, ServerResponse } = required;

/**
 * Delays `end` to the end of the event loop turn, so that all answers of one turn are written together. Each single
 * write could wake the client, and the client's next request would wake the gateway: a batch wakes both only once.
 * `writableEnded` is true as soon as `end` is called.
 */
class BatchedResponse<Request extends http.IncomingMessage> extends ServerResponse<Request> {
  #hasEnded = false;

  // `override get` does not compile: Node's types declare the accessor `writableEnded` as a property.
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
    // Node runs all pending immediates before it reads sockets again, so the answers of one turn leave together.
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the arguments of this very call
    setImmediate(() => super.end(...(rest as Parameters<http.ServerResponse['end']>)));
    return this;
  }
}

/**
 * Creates the class of all HTTP responses. Each response gets `headers`, even if no Fastify hook runs; a header that
 * the response sets itself takes precedence. A response gets `connection: close` while the gateway closes, and when the
 * request's body has not arrived completely.
 *
 * @param headers headers of every response, with names in lower case
 */
export function createResponseClass(
  headers: http.OutgoingHttpHeaders,
  isClosing: () => boolean,
): typeof http.ServerResponse {
  return class<Request extends http.IncomingMessage> extends BatchedResponse<Request> {
    /** Expects headers as Fastify passes them: an object with names in lower case. The reason phrase is Node's. */
    override writeHead(status: number, ...rest: unknown[]): this {
      const own = rest.at(-1);
      const { req, headersSent } = this;
      const isUnread = hasUnreadBody(req);
      // A list is Node's own: it answers a request without `Host` with `['Connection', 'close']`.
      const isLast = isUnread || isClosing() || Array.isArray(own);
      if (!headersSent && isLast) this.setHeader('connection', 'close');
      if (isUnread) closeGentlyAfterLastAnswer(req.socket);
      const given = typeof own === 'object' && !Array.isArray(own) && own;
      return super.writeHead(status, { ...headers, ...this.getHeaders(), ...given });
    }
  };
}

function hasUnreadBody({ complete, headers }: http.IncomingMessage): boolean {
  if (complete) return false;
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}
