import { LRUCache } from 'lru-cache';
import type { RestSender } from '../../rest/rest-client.js';

/** Who was accepted least recently is forgotten first. */
const MAX_CALLERS = 100_000;

/** Callers of whom the Study API has accepted a call. Anybody can make up a token; nobody can make it accepted. */
export class AcceptedCallers {
  readonly #ids = new LRUCache<string, true>({ max: MAX_CALLERS });

  has(id: string): boolean {
    return this.#ids.get(id) !== undefined;
  }

  /** Wraps a client, and remembers the caller of a call that succeeds. */
  remembered(rest: RestSender, toId: () => Promise<string>): RestSender {
    return {
      send: async (call) => {
        // Before the call: what fails after it would hide what became of a write.
        const id = await toId();
        const answer = await rest.send(call);
        this.#ids.set(id, true);
        return answer;
      },
    };
  }
}
