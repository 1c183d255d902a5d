import { randomUUID } from 'node:crypto';
import { Agent } from 'node:http';
import { write, type Fate } from '../soak/client.js';
import { startWork, type Work } from '../soak/load.js';

export interface KeyedLoad extends Work {
  /** The final fate of each write, by its description. */
  readonly fates: ReadonlyMap<string, Fate>;
  /** A line for each write that was reported as `NOT_SENT` but stored, or whose repeat got an answer that the first rules out. */
  readonly changes: readonly string[];
}

/**
 * Starts clients that send each write with an idempotency key until they know its fate, and then once more with the
 * same key. `NOT_SENT` is not a final fate: it describes one attempt only, for which Redis was not available in time.
 *
 * @param stored how often the Study API has stored each description
 */
export function startKeyedLoad(
  url: string,
  clients: number,
  stored: ReadonlyMap<string, number>,
): KeyedLoad {
  const agent = new Agent({ keepAlive: true });
  const fates = new Map<string, Fate>();
  const changes: string[] = [];
  let count = 0;

  const work = startWork(clients, async () => {
    const description = `keyed-${count++}`;
    const key = randomUUID();
    const told: Fate[] = [];
    let isFirst = true;
    while (told.length < 2) {
      const fate = await write({ url, agent, key }, description);
      // With a key, a retry is safe after `NOT_SENT` and after `BAD_GATEWAY`.
      if (fate !== 'NOT_SENT' && fate !== 'BAD_GATEWAY') told.push(fate);
      else if (fate === 'NOT_SENT' && isFirst && stored.has(description))
        changes.push(`${description}: NOT_SENT, and stored`);
      isFirst = false;
    }
    const [first, second] = told as [Fate, Fate];
    // A repeat reads what was applied, and is sent after a rejection.
    const expected = first === 'APPLIED' ? ['APPLIED', 'SUCCESS'] : [first];
    if (first !== 'REJECTED' && !expected.includes(second))
      changes.push(`${description}: ${first}, ${second}`);
    fates.set(description, second);
  });
  return {
    fates,
    changes,
    stop: async () => {
      await work.stop();
      agent.destroy();
    },
  };
}

export interface ReadLoad extends Work {
  /** Number of reads by result: status and body, or the error of the connection. */
  readonly endings: ReadonlyMap<string, number>;
}

/** Starts clients that send queries by GET, which a load balancer may resend. */
export function startReadLoad(url: string, clients: number): ReadLoad {
  const endings = new Map<string, number>();
  const work = startWork(clients, async () => {
    const ending = await fetch(`${url}/graphql?query={__typename}`, {
      headers: { 'apollo-require-preflight': '1', authorization: 'Bearer load-token' },
    }).then(
      async (response) => `${response.status} ${await response.text()}`.trim(),
      (error: unknown) => String(error),
    );
    endings.set(ending, (endings.get(ending) ?? 0) + 1);
  });
  return { ...work, endings };
}
