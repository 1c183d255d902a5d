import { readdirSync } from 'node:fs';
import { setImmediate } from 'node:timers/promises';

// Loaded into the program by `--import`: answers every IPC message with the memory and handles that the process uses.

/** Memory and handles of a process after garbage collection. */
export interface Usage {
  /** Bytes of the JavaScript heap and of buffers outside the heap. */
  readonly heap: number;
  /** Resident set size in bytes. */
  readonly rss: number;
  readonly descriptors: number;
  /** Number of resources that keep the process alive, by kind, such as `TCPSocketWrap` and `Timeout`. */
  readonly resources: Readonly<Record<string, number>>;
}

process.on('message', () => void measure().then((usage) => process.send?.(usage)));
// Prevents the IPC channel from keeping the program alive.
process.channel?.unref();

async function measure(): Promise<Usage> {
  // Collects repeatedly, because objects finalized by one garbage collection are freed by the next.
  for (let round = 0; round < 3; round++) {
    globalThis.gc?.();
    await setImmediate();
  }
  const { heapUsed, external, rss } = process.memoryUsage();
  const resources: Record<string, number> = {};
  for (const kind of process.getActiveResourcesInfo()) resources[kind] = (resources[kind] ?? 0) + 1;
  return { heap: heapUsed + external, rss, descriptors: readdirSync('/dev/fd').length, resources };
}
