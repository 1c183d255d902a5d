import { randomUUID } from 'node:crypto';
import { Agent } from 'node:http';
import { write, type Fate } from '../soak/client.js';

/** Clients that go on until they are stopped. */
interface Work {
  /** Begins nothing further, and waits for what is under way. */
  readonly stop: () => Promise<void>;
}

function startWork(clients: number, step: () => Promise<unknown>): Work {
  const end = new AbortController();
  const work = async (): Promise<void> => {
    while (!end.signal.aborted) await step();
  };
  const workers = Array.from({ length: clients }, work);
  return {
    stop: async () => {
      end.abort();
      await Promise.all(workers);
    },
  };
}

export interface KeyedLoad extends Work {
  /** What the client knows in the end. */
  readonly fates: ReadonlyMap<string, Fate>;
  /** Writes of which a client was told what is not so, or a repeat with the same key something else. */
  readonly changes: readonly string[];
}

/**
 * Each writes with a key until it gets a verdict, and then the same once more. `NOT_SENT` is none: it is true of one
 * attempt, when Redis had no time for it, and says nothing of those before.
 *
 * @param stored the ledger of the Study API
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
      // A key makes it safe to try again after either.
      if (fate !== 'NOT_SENT' && fate !== 'BAD_GATEWAY') told.push(fate);
      else if (fate === 'NOT_SENT' && isFirst && stored.has(description))
        changes.push(`${description}: NOT_SENT, and stored`);
      isFirst = false;
    }
    const [first, second] = told as [Fate, Fate];
    if (second !== first) changes.push(`${description}: ${first}, ${second}`);
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
  /** How many there were, by status or by the error of the connection. */
  readonly endings: ReadonlyMap<string, number>;
}

/** Reads by GET, which a balancer may send again. */
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
