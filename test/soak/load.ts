import { Agent } from 'node:http';
import { write, type Client, type Fate, type Patience } from './client.js';

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

export interface Load {
  /** The fate of each finished write, by its description. */
  readonly fates: ReadonlyMap<string, Fate>;
  /** Lets clients begin no further write, waits for the writes in progress, and closes the connections. */
  readonly stop: () => Promise<void>;
}

let loads = 0;

/** Starts clients that write one study after the other until `stop`. */
export function startLoad(options: LoadOptions): Load {
  const { url, clients, keepAlive, toPatience, waitForServer } = options;
  const fates = new Map<string, Fate>();
  const agent = new Agent({ keepAlive: true });
  const load = loads++;
  let count = 0;
  const end = new AbortController();

  const work = async (client: Client): Promise<void> => {
    while (!end.signal.aborted) {
      const number = count++;
      const description = `${load}-${number}`;
      const fate = await write(client, description, toPatience?.(number));
      fates.set(description, fate);
      if (fate === 'REFUSED' && !end.signal.aborted) await waitForServer?.();
    }
  };
  const workers = Array.from({ length: clients }, (_, index) =>
    work({ url, agent: (keepAlive ?? index % 2 === 0) && agent }),
  );
  return {
    fates,
    stop: async () => {
      end.abort();
      await Promise.all(workers);
      agent.destroy();
    },
  };
}
