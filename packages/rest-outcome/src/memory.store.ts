import { KEY_TTL_MS, type KeyRecord, type KeyStore } from './key-store.js';

export interface MemoryStoreOptions {
  /** Lifetime of a key, from its claim. Default: 48 hours. */
  readonly ttlMs?: number | undefined;
  /** Maximum number of keys. A store that is full refuses new keys: to drop an old one would break its promise. Default: 100,000. */
  readonly maxKeys?: number | undefined;
}

/** Keys of two days at one write in two seconds, about 50 MB. Who has more keys needs a store outside of the process. */
const MAX_KEYS = 100_000;

interface Held extends KeyRecord {
  /** These times are by `performance.now()`. */
  readonly leaseUntil: number;
  readonly expiresAt: number;
}

/** Creates a store in the memory of this process. */
export function memoryStore(options: MemoryStoreOptions = {}): KeyStore {
  const { ttlMs = KEY_TTL_MS, maxKeys = MAX_KEYS } = options;
  /** Records by key, in the order of their claims, and so of their ends. */
  const held = new Map<string, Held>();
  /** The `freed` ones, which hold no write, in the order in which they were freed. */
  const freed = new Map<string, Held>();

  return {
    async claim(key, { owner, by, fingerprint, leaseMs, onlyFreed }) {
      const now = performance.now();
      for (const records of [held, freed])
        for (const [oldest, { expiresAt }] of records) {
          if (expiresAt > now) break;
          records.delete(oldest);
        }
      const found = held.get(key);
      if (found) {
        const isOver = found.state === 'running' && found.leaseUntil < now;
        return isOver ? { ...found, state: 'unknown' } : found;
      }
      const free = freed.get(key);
      if (!free && onlyFreed) return undefined;
      if (free && free.fingerprint !== fingerprint) return free;
      freed.delete(key);
      if (held.size + freed.size >= maxKeys) {
        const [oldest] = freed.keys();
        if (oldest === undefined) throw new Error(`${maxKeys} idempotency keys are held`);
        freed.delete(oldest);
      }
      const times = { leaseUntil: now + leaseMs, expiresAt: now + ttlMs };
      const claimed: Held = { owner, by, fingerprint, state: 'running', ...times };
      held.set(key, claimed);
      return claimed;
    },
    async keep(key, owner, state, id) {
      const found = held.get(key);
      if (found?.owner === owner) held.set(key, { ...found, state, id });
    },
    async free(key, owner, leaseMs) {
      const found = held.get(key);
      if (found?.owner !== owner) return;
      held.delete(key);
      freed.set(key, { ...found, state: 'freed', expiresAt: performance.now() + leaseMs });
    },
  };
}
