import { unwatchFile, watchFile } from 'node:fs';

export interface Watched<Value> {
  readonly current: Value;
  close(): void;
}

/** Interval at which files are checked for changes. */
const POLL_INTERVAL_MS = 1_000;

/**
 * Reads files, and reads them again within a second after a change. While they cannot be read, the last value remains.
 *
 * @param onBroken called after each change after which they cannot be read
 * @throws what the first `read` throws
 */
export async function watchFiles<Value>(
  paths: readonly string[],
  read: () => Value | Promise<Value>,
  onChange: () => void,
  onBroken: (error: unknown) => void,
): Promise<Watched<Value>> {
  let current = await read();
  const readAgain = async (): Promise<void> => {
    try {
      const value = await read();
      if (value === current) return;
      current = value;
      onChange();
    } catch (error) {
      onBroken(error);
    }
  };
  const listener = (): void => void readAgain();
  const options = { interval: POLL_INTERVAL_MS, persistent: false };
  for (const path of paths) watchFile(path, options, listener);
  return {
    get current() {
      return current;
    },
    close: () => {
      for (const path of paths) unwatchFile(path, listener);
    },
  };
}
