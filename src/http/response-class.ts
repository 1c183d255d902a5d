import type * as http from 'node:http';
import { createRequire } from 'node:module';

const required: typeof http = createRequire(import.meta.url)('node:http');

/**
 * Loaded by `require`: an `import` would evaluate every export of `node:http`, and one export loads Node's own undici,
 * which delays the start by 30 ms.
 */
const { ServerResponse } = required;

/**
 * Delays `end` to the end of the event loop turn, so that all answers of one turn are written together. Each single
 * write could wake the client, and the client's next request would wake the gateway: a batch wakes both only once.
 * `writableEnded` is true as soon as `end` is called.
 */
export class BatchedResponse<Request extends http.IncomingMessage> extends ServerResponse<Request> {
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
