import { Agent } from 'node:http';
import { write, type Fate, type Patience } from './client.js';

export interface LoadOptions {
  readonly url: string;
  /** Number of clients that write concurrently. */
  readonly clients: number;
  /** Whether clients keep connections alive. Default: every second client does. */
  readonly keepAlive?: boolean;
  /** Returns when the client disconnects, given the number of the write. Default: never. */
  readonly toPatience?: (count: number) => Patience;
  /** Delays a client's next write after a refused connection, for example until the server listens again. */
  readonly waitForServer?: () => Promise<unknown>;
}

/** Clients that repeat a step until `stop`. */
export interface Work {
  /** Lets clients begin no further step, and waits for the steps in progress. */
  readonly stop: () => Promise<void>;
}

/** Starts clients that repeat `step`, which is called with the number of the client. */
export function startWork(
  clients: number,
  step: (client: number, end: AbortSignal) => Promise<unknown>,
): Work {
  const end = new AbortController();
  const workers = Array.from({ length: clients }, async (_, client) => {
    while (!end.signal.aborted) await step(client, end.signal);
  });
  return {
    stop: async () => {
      end.abort();
      await Promise.all(workers);
    },
  };
}

export interface Load extends Work {
  /** The fate of each finished write, by its description. */
  readonly fates: ReadonlyMap<string, Fate>;
}

let loads = 0;

/** Starts clients that write one study after the other until `stop`. */
export function startLoad(options: LoadOptions): Load {
  const { url, clients, keepAlive, toPatience, waitForServer } = options;
  const fates = new Map<string, Fate>();
  const agent = new Agent({ keepAlive: true });
  const load = loads++;
  let count = 0;
  const work = startWork(clients, async (client, end) => {
    const number = count++;
    const description = `${load}-${number}`;
    const ownAgent = (keepAlive ?? client % 2 === 0) && agent;
    const fate = await write({ url, agent: ownAgent }, description, toPatience?.(number));
    fates.set(description, fate);
    if (fate === 'REFUSED' && !end.aborted) await waitForServer?.();
  });
  return {
    fates,
    stop: async () => {
      await work.stop();
      agent.destroy();
    },
  };
}
