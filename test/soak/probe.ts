import { readdirSync } from 'node:fs';
import { setImmediate } from 'node:timers/promises';

// Imported into the program by `--import`: it answers every message with what the process holds.

/** What a process holds once its garbage is gone. */
export interface Usage {
  /** In bytes, of JavaScript's heap and of buffers outside it. */
  readonly heap: number;
  /** In bytes. */
  readonly rss: number;
  readonly descriptors: number;
  /** What would keep the process alive, by kind, such as `TCPSocketWrap` and `Timeout`. */
  readonly resources: Readonly<Record<string, number>>;
}

process.on('message', () => void measure().then((usage) => process.send?.(usage)));
// It must not keep the program alive.
process.channel?.unref();

async function measure(): Promise<Usage> {
  // What is finalized by the first collection is freed by the next.
  for (let round = 0; round < 3; round++) {
    globalThis.gc?.();
    await setImmediate();
  }
  const { heapUsed, external, rss } = process.memoryUsage();
  const resources: Record<string, number> = {};
  for (const kind of process.getActiveResourcesInfo()) resources[kind] = (resources[kind] ?? 0) + 1;
  return { heap: heapUsed + external, rss, descriptors: readdirSync('/dev/fd').length, resources };
}
