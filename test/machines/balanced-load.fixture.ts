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
  /** Writes of which a repeat with the same key was told something else. */
  readonly changes: readonly string[];
  /** Answers of the balancer's own, after which it was tried again. */
  readonly badGateways: () => number;
}

/** Each writes with a key until it gets an answer of a gateway, and then the same once more. */
export function startKeyedLoad(url: string, clients: number): KeyedLoad {
  const agent = new Agent({ keepAlive: true });
  const fates = new Map<string, Fate>();
  const changes: string[] = [];
  let count = 0;
  let badGateways = 0;

  async function writeUntilAnswered(description: string, key: string): Promise<Fate> {
    for (;;) {
      const fate = await write({ url, agent, key }, description);
      if (fate !== 'BAD_GATEWAY') return fate;
      badGateways += 1;
    }
  }

  const work = startWork(clients, async () => {
    const description = `keyed-${count++}`;
    const key = randomUUID();
    const first = await writeUntilAnswered(description, key);
    const second = await writeUntilAnswered(description, key);
    // Nothing was sent: the repeat is a first call.
    if (first !== 'NOT_SENT' && second !== first)
      changes.push(`${description}: ${first}, ${second}`);
    fates.set(description, second);
  });
  return {
    fates,
    changes,
    badGateways: () => badGateways,
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
