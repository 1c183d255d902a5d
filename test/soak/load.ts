import { Agent } from 'node:http';
import { write, type Client, type Fate, type Patience } from './client.js';

export interface LoadOptions {
  readonly url: string;
  /** How many write at once. */
  readonly clients: number;
  /** Whether they keep their connections. Default: every second one. */
  readonly keepAlive?: boolean;
  /** How long the client of the given write waits. Default: for ever. */
  readonly toPatience?: (count: number) => Patience;
  /** Is waited for after a connection was refused. */
  readonly waitForServer?: () => Promise<unknown>;
  readonly onFate?: () => void;
}

export interface Load {
  /** Of each write by its description, once it is over. */
  readonly fates: ReadonlyMap<string, Fate>;
  /** Begins no further write, waits for those under way, and closes the connections. */
  readonly stop: () => Promise<void>;
}

let loads = 0;

/** Clients that write one study after the other until they are stopped. */
export function startLoad(options: LoadOptions): Load {
  const { url, clients, keepAlive, toPatience, waitForServer, onFate } = options;
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
      onFate?.();
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
