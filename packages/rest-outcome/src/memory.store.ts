import { KEY_TTL_MS, type KeyRecord, type KeyStore } from './keys.js';

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
  const records = new Map<string, Held>();

  /** Makes room for a key by dropping the oldest `freed` one, which holds no write. */
  function makeRoom(): void {
    if (records.size < maxKeys) return;
    for (const [key, { state }] of records) if (state === 'freed') return void records.delete(key);
    throw new Error(`${maxKeys} idempotency keys are held, and none has expired`);
  }

  return {
    async claim(key, { owner, by, fingerprint, leaseMs, onlyFreed }) {
      const now = performance.now();
      for (const [oldest, { expiresAt }] of records) {
        if (expiresAt > now) break;
        records.delete(oldest);
      }
      const found = records.get(key);
      if (found && (found.state !== 'freed' || found.fingerprint !== fingerprint)) {
        const isOver = found.state === 'running' && found.leaseUntil < now;
        return isOver ? { ...found, state: 'unknown' } : found;
      }
      if (!found && onlyFreed) return undefined;
      records.delete(key);
      makeRoom();
      const times = { leaseUntil: now + leaseMs, expiresAt: now + ttlMs };
      const claimed: Held = { owner, by, fingerprint, state: 'running', ...times };
      records.set(key, claimed);
      return claimed;
    },
    async keep(key, owner, state, id) {
      const found = records.get(key);
      if (found?.owner === owner) records.set(key, { ...found, state, id });
    },
    async free(key, owner, leaseMs) {
      const found = records.get(key);
      if (found?.owner !== owner) return;
      records.set(key, { ...found, state: 'freed' });
      setTimeout(() => {
        if (records.get(key)?.owner === owner) records.delete(key);
      }, leaseMs).unref();
    },
  };
}
