import { LRUCache } from 'lru-cache';
import type { RestClient } from '../../rest/rest-client.js';

/** The caller accepted least recently is forgotten first. */
const MAX_CALLERS = 100_000;

/** Callers of whom the Study API accepted a call. Anybody can invent a token; no invented token is accepted. */
export class AcceptedCallers {
  readonly #ids = new LRUCache<string, true>({ max: MAX_CALLERS });

  has(id: string): boolean {
    return this.#ids.get(id) !== undefined;
  }

  /** Wraps the client, and remembers the caller of each call that succeeds. */
  watch(rest: Pick<RestClient, 'send'>, toId: () => Promise<string>): Pick<RestClient, 'send'> {
    return {
      send: async (call) => {
        // Read before the call: an error after the call would hide the outcome of a write.
        const id = await toId();
        const answer = await rest.send(call);
        this.#ids.set(id, true);
        return answer;
      },
    };
  }
}
