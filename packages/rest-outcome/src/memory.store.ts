import { StoreFullError, type Claimed, type KeyStore } from './record.js';

export interface MemoryStoreOptions {
  /** Lifetime of a key, from its claim. Default: 24 hours. */
  readonly ttlMs?: number | undefined;
  /** Maximum number of keys. A caller who holds more keys than are free gets no further key. Default: `MAX_KEYS`. */
  readonly maxKeys?: number | undefined;
  /** Maximum total size of whole records. Beyond it, only short records are stored. Default: `MAX_RECORD_BYTES`. */
  readonly maxBytes?: number | undefined;
}

const TTL_MS = 86_400_000;
/** Keys of a day at one write a second. Who has more keys needs a store outside of the process. */
const MAX_KEYS = 100_000;
/** Fits into a pod of 640 MiB beside a server that takes up to 350 MB without keys. */
const MAX_RECORD_BYTES = 134_217_728;

interface Entry {
  readonly fingerprint: string;
  readonly callerId: string;
  readonly expiresAt: number;
  /** `undefined` while the call runs. A buffer, because its length is in bytes, like `maxBytes`. */
  record?: Buffer;
}

/** Creates a store in the memory of this process, for one client. Needs no lease: calls and store end together. */
export function memoryStore(options: MemoryStoreOptions = {}): KeyStore {
  const { ttlMs = TTL_MS, maxKeys = MAX_KEYS, maxBytes = MAX_RECORD_BYTES } = options;
  /** Entries by key id, in order of expiry, because all keys have the same lifetime. */
  const entries = new Map<string, Entry>();
  /** Number of keys of each caller. */
  const counts = new Map<string, number>();
  const countOf = (callerId: string): number => counts.get(callerId) ?? 0;
  let bytes = 0;

  function remove(id: string, entry: Entry): void {
    // If the key expired during its call, it may belong to another call now.
    if (entries.get(id) !== entry) return;
    entries.delete(id);
    bytes -= entry.record?.length ?? 0;
    const count = countOf(entry.callerId) - 1;
    if (count > 0) counts.set(entry.callerId, count);
    else counts.delete(entry.callerId);
  }

  function removeExpired(): void {
    const now = performance.now();
    for (const [id, entry] of entries) {
      if (entry.expiresAt > now) return;
      remove(id, entry);
    }
  }

  function toFull(message: string): StoreFullError {
    const [oldest] = entries.values();
    const leftMs = (oldest?.expiresAt ?? 0) - performance.now();
    return new StoreFullError(message, Math.max(1, Math.ceil(leftMs / 1_000)));
  }

  function toClaimed(id: string, entry: Entry): Claimed {
    return {
      state: 'claimed',
      async keep(record, shortRecord) {
        if (entries.get(id) !== entry) return;
        const whole = Buffer.from(record);
        entry.record = bytes + whole.length <= maxBytes ? whole : Buffer.from(shortRecord);
        bytes += entry.record.length;
      },
      free: async () => remove(id, entry),
    };
  }

  return {
    async claim(id, fingerprint, callerId, _, over) {
      removeExpired();
      const found = entries.get(id);
      if (found) {
        if (found.fingerprint !== fingerprint) return { state: 'reused' };
        if (!found.record) return { state: 'running' };
        const record = found.record.toString();
        if (record !== over) return { state: 'settled', record, callerId: found.callerId };
        bytes -= found.record.length;
        delete found.record;
        return toClaimed(id, found);
      }
      if (entries.size >= maxKeys)
        throw toFull(`${maxKeys} idempotency keys are held, and none has expired`);
      if (countOf(callerId) > maxKeys - entries.size)
        throw toFull('the caller holds more idempotency keys than are free');
      const entry: Entry = { fingerprint, callerId, expiresAt: performance.now() + ttlMs };
      entries.set(id, entry);
      counts.set(callerId, countOf(callerId) + 1);
      return toClaimed(id, entry);
    },
  };
}
