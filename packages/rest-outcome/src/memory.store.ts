import { StoreFullError, type KeyRecord, type KeyStore } from './keys.js';

export interface MemoryStoreOptions {
  /** Lifetime of a key, from its claim. Default: 48 hours. */
  readonly ttlMs?: number | undefined;
  /** Maximum number of keys. A store that is full refuses new keys: to drop an old one would break its promise. Default: 100,000. */
  readonly maxKeys?: number | undefined;
}

const TTL_MS = 172_800_000;
/** Keys of two days at one write in two seconds, about 50 MB. Who has more keys needs a store outside of the process. */
const MAX_KEYS = 100_000;

interface Held extends KeyRecord {
  /** These times are by `performance.now()`. */
  readonly leaseUntil: number;
  readonly expiresAt: number;
}

/** Creates a store in the memory of this process. */
export function memoryStore(options: MemoryStoreOptions = {}): KeyStore {
  const { ttlMs = TTL_MS, maxKeys = MAX_KEYS } = options;
  /** Records by key, each map in the order in which its records expire. */
  const held = new Map<string, Held>();
  const freed = new Map<string, Held>();

  function removeExpired(records: Map<string, Held>, now: number): void {
    for (const [key, { expiresAt }] of records) {
      if (expiresAt > now) return;
      records.delete(key);
    }
  }

  /** Makes room for a key by dropping the oldest `freed` one, which holds no write. */
  function makeRoom(now: number): void {
    if (held.size + freed.size < maxKeys) return;
    const [oldestFreed] = freed.keys();
    if (oldestFreed !== undefined) return void freed.delete(oldestFreed);
    const [oldest] = held.values();
    const leftMs = (oldest?.expiresAt ?? now) - now;
    const message = `${maxKeys} idempotency keys are held, and none has expired`;
    throw new StoreFullError(message, Math.max(1, Math.ceil(leftMs / 1_000)));
  }

  return {
    async claim(key, { owner, by, fingerprint, leaseMs, onlyFreed }) {
      const now = performance.now();
      removeExpired(held, now);
      removeExpired(freed, now);
      const found = held.get(key);
      if (found) {
        const isOver = found.state === 'running' && found.leaseUntil < now;
        return isOver ? { ...found, state: 'unknown' } : found;
      }
      const free = freed.get(key);
      if (free && free.fingerprint !== fingerprint) return free;
      if (!free && onlyFreed) return undefined;
      freed.delete(key);
      makeRoom(now);
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
