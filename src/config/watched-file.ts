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
 * @param onBroken called at the first failure in a row, after the first read
 * @throws what the first `read` throws
 */
export async function watchFiles<Value>(
  paths: readonly string[],
  read: () => Value | Promise<Value>,
  onChange: () => void,
  onBroken: (error: unknown) => void,
): Promise<Watched<Value>> {
  // Read before the files, so that a change during the read is seen. `read` reports a missing file.
  let state = await readState(paths).catch(() => '');
  let current = await read();

  const poll = async (): Promise<void> => {
    const wasBroken = state === '';
    try {
      const found = await readState(paths);
      const value = found === state ? current : await read();
      if (value !== current) onChange();
      [state, current] = [found, value];
    } catch (error) {
      if (!wasBroken) onBroken(error);
      state = '';
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

async function readState(paths: readonly string[]): Promise<string> {
  const stats = await Promise.all(paths.map((path) => stat(path)));
  return stats.map(({ ino, size, mtimeMs }) => `${ino} ${size} ${mtimeMs}`).join();
}
