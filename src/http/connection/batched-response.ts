import type * as http from 'node:http';
import { ServerResponse } from './node-http.js';

/**
 * Writes the answers that have become ready in one turn of the event loop together, at its end. Each write may wake the
 * client, and the client's next request wakes the gateway; in batches each wakes once. To everybody else the response has
 * ended at once.
 */
export class BatchedResponse<Request extends http.IncomingMessage> extends ServerResponse<Request> {
  #hasEnded = false;

  // Node has an accessor there, which its types call a property.
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
    // Node runs all that are due before it waits for sockets again.
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what it was called with
    setImmediate(() => super.end(...(rest as Parameters<http.ServerResponse['end']>)));
    return this;
  }
}
