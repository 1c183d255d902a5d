import { LRUCache } from 'lru-cache';
import type { RestSender } from '../../rest/rest-call.js';

/** Maximum number of callers remembered; the least recently seen one is evicted first. */
const MAX_CALLERS = 100_000;

/**
 * Remembers the callers with at least one successful call to the Study API. Anybody can invent tokens, but calls with
 * an invented token do not succeed.
 */
export class AcceptedCallers {
  readonly #ids = new LRUCache<string, true>({ max: MAX_CALLERS });

  has(id: string): boolean {
    return this.#ids.get(id) !== undefined;
  }

  /**
   * Wraps a client so that the caller of each successful call is remembered.
   *
   * @param toId returns the id of the caller
   */
  remembered(rest: RestSender, toId: () => Promise<string>): RestSender {
    return {
      send: async (call) => {
        // Read before the call, because an error after the call would hide the outcome of a write.
        const id = await toId();
        const answer = await rest.send(call);
        this.#ids.set(id, true);
        return answer;
      },
    };
  }
}
