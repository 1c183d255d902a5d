import type { JsonObject, RestCall } from '../rest/rest-call.js';
import type { RestClient } from '../rest/rest-client.js';

/** The same client for one operation, which knows how much of its time went there. */
export class RestTally implements Pick<RestClient, 'send'> {
  /** Calls that were asked for, the ones among them that were answered without being sent. */
  calls = 0;
  /** During which one call at least was under way: calls side by side count once. */
  ms = 0;
  #running = 0;
  #busySince = 0;

  constructor(private readonly rest: Pick<RestClient, 'send'>) {}

  async send(call: RestCall): Promise<JsonObject> {
    this.calls += 1;
    if (this.#running === 0) this.#busySince = performance.now();
    this.#running += 1;
    try {
      return await this.rest.send(call);
    } finally {
      this.#running -= 1;
      if (this.#running === 0) this.ms += performance.now() - this.#busySince;
    }
  }
}
