import type { IdempotencyStore } from './idempotency.store.js';

export interface MemoryStoreOptions {
  /** How long a key is held, from when it is claimed. */
  readonly ttlMs: number;
  /** Keys that are held at once; the next one is refused, and that of a caller who holds more than are free. */
  readonly maxKeys: number;
  /** Bytes of records; beyond that the short ones are kept, which are not limited in their sum. */
  readonly maxBytes: number;
}

interface Entry {
  readonly fingerprint: string;
  readonly callerId: string;
  readonly expiresAt: number;
  /** `undefined` while the call runs. Bytes, because their number is what is limited. */
  record?: Buffer;
}

/** Holds the keys of one process, until it ends. No lease is needed: the calls end with it. */
export function createMemoryStore(options: MemoryStoreOptions): IdempotencyStore {
  const { ttlMs, maxKeys, maxBytes } = options;
  /** In the order in which they expire, as all live equally long. */
  const entries = new Map<string, Entry>();
  /** Keys of each caller. */
  const counts = new Map<string, number>();
  let bytes = 0;

  function add(id: string, entry: Entry): void {
    entries.set(id, entry);
    counts.set(entry.callerId, countOf(entry.callerId) + 1);
  }

  function remove(id: string, entry: Entry): void {
    // It may have expired in the middle of its call, and belong to another one by now.
    if (entries.get(id) !== entry) return;
    entries.delete(id);
    bytes -= entry.record?.length ?? 0;
    const count = countOf(entry.callerId) - 1;
    if (count > 0) counts.set(entry.callerId, count);
    else counts.delete(entry.callerId);
  }

  function countOf(callerId: string): number {
    return counts.get(callerId) ?? 0;
  }

  function removeExpired(): void {
    const now = performance.now();
    for (const [id, entry] of entries) {
      if (entry.expiresAt > now) return;
      remove(id, entry);
    }
  }

  return {
    async claim(id, fingerprint, callerId) {
      removeExpired();
      const found = entries.get(id);
      if (found) {
        if (found.fingerprint !== fingerprint) return { state: 'reused' };
        if (!found.record) return { state: 'running' };
        return { state: 'settled', record: found.record.toString() };
      }
      if (entries.size >= maxKeys)
        throw new Error(`${maxKeys} idempotency keys are held, and none has expired`);
      if (countOf(callerId) > maxKeys - entries.size)
        throw new Error('the caller holds more idempotency keys than are left for all others');
      const entry: Entry = { fingerprint, callerId, expiresAt: performance.now() + ttlMs };
      add(id, entry);
      return {
        state: 'claimed',
        async keep(record, shortRecord) {
          if (entries.get(id) !== entry) return;
          const whole = Buffer.from(record);
          entry.record = bytes + whole.length <= maxBytes ? whole : Buffer.from(shortRecord);
          bytes += entry.record.length;
        },
        async free() {
          remove(id, entry);
        },
      };
    },
  };
}
