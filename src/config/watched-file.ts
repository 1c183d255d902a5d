export interface Watched<Value> {
  readonly current: Value;
  close(): void;
}

/** Interval at which a file is read again. */
const POLL_INTERVAL_MS = 1_000;

/**
 * Reads what a file holds again every second. While the file cannot be read, the last value remains.
 *
 * @param read reads the file; may return `current` again if the file is the same
 * @param onBroken called at the first failure in a row
 */
export function watchFile<Value>(
  first: Value,
  read: (current: Value) => Promise<Value>,
  onChange: () => void,
  onBroken: (error: unknown) => void,
): Watched<Value> {
  let current = first;
  let isBroken = false;
  let isClosed = false;

  const poll = async (): Promise<void> => {
    try {
      const found = await read(current);
      if (found !== current) onChange();
      current = found;
      isBroken = false;
    } catch (error) {
      if (!isBroken) onBroken(error);
      isBroken = true;
    }
    if (!isClosed) timer.refresh();
  };
  const timer = setTimeout(() => void poll(), POLL_INTERVAL_MS).unref();

  return {
    get current() {
      return current;
    },
    close() {
      isClosed = true;
      clearTimeout(timer);
    },
  };
}
