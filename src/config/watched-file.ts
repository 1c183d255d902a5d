import { stat } from 'node:fs/promises';

export interface Watched<Value> {
  readonly current: Value;
  close(): void;
}

/** Interval at which files are checked for changes. */
const POLL_INTERVAL_MS = 1_000;

/**
 * Reads files, and reads them again within a second after a change. While they cannot be read, the last value remains.
 *
 * @param onBroken called once for each change after which they cannot be read
 * @throws what the first `read` throws
 */
export async function watchFiles<Value>(
  paths: readonly string[],
  read: () => Value | Promise<Value>,
  onChange: () => void,
  onBroken: (error: unknown) => void,
): Promise<Watched<Value>> {
  // Read before the files, so that a change during the read is seen.
  let state = await readState(paths);
  let current = await read();
  /** State whose failure has been reported. */
  let broken = '';

  const poll = async (): Promise<void> => {
    const found = await readState(paths);
    if (found === state) return;
    state = found;
    try {
      const value = await read();
      broken = '';
      // A file that changed between the two reads has its value already.
      if (value === current) return;
      current = value;
      onChange();
    } catch (error) {
      // Read again in a second: without a free descriptor, even a good file cannot be read.
      state = '';
      if (found !== broken) onBroken(error);
      broken = found;
    }
  };
  const timer = setInterval(() => void poll(), POLL_INTERVAL_MS).unref();

  return {
    get current() {
      return current;
    },
    close: () => clearInterval(timer),
  };
}

/** Returns a text that changes with the files, and with their permissions. */
async function readState(paths: readonly string[]): Promise<string> {
  const stats = await Promise.all(paths.map((path) => stat(path).catch(() => undefined)));
  return stats.map((found) => `${found?.ino} ${found?.ctimeMs}`).join();
}
