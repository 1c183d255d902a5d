import { KEY_TTL_MS, type KeyRecord, type KeyStore } from './key-store.js';

export interface MemoryStoreOptions {
  /** Lifetime of a key, from its claim. Default: 48 hours. */
  readonly ttlMs?: number | undefined;
  /** Maximum number of keys. A store that is full refuses new keys: to drop an old one would break its promise. Default: 100,000. */
  readonly maxKeys?: number | undefined;
}

/** Keys of two days at one write in two seconds, about 50 MB. Who has more keys needs a store outside of the process. */
const MAX_KEYS = 100_000;
/** Pause between two looks at all records, which take 4 ms. */
const SWEEP_INTERVAL_MS = 100;

interface Held extends KeyRecord {
  /** These times are by `performance.now()`. */
  readonly leaseUntil: number;
  readonly expiresAt: number;
}

/** Creates a store in the memory of this process. */
export function memoryStore(options: MemoryStoreOptions = {}): KeyStore {
  const { ttlMs = KEY_TTL_MS, maxKeys = MAX_KEYS } = options;
  const records = new Map<string, Held>();
  let nextSweepAt = 0;

  function change(key: string, owner: string, changes: Partial<Held>): void {
    const held = records.get(key);
    if (held?.owner === owner) records.set(key, { ...held, ...changes });
  }

  /** Makes room when the store is full. A `freed` record holds no write: who waits for it gets `UNKNOWN`. */
  function sweep(now: number): void {
    if (now < nextSweepAt) return;
    nextSweepAt = now + SWEEP_INTERVAL_MS;
    for (const [key, { state, expiresAt }] of records)
      if (state === 'freed' || expiresAt <= now) records.delete(key);
  }

  return {
    async claim(key, { leaseMs, onlyFreed, ...claim }) {
      const now = performance.now();
      const held = records.get(key);
      const found = held && held.expiresAt > now ? held : undefined;
      if (found && (found.state !== 'freed' || found.fingerprint !== claim.fingerprint)) {
        const isOver = found.state === 'running' && found.leaseUntil < now;
        return isOver ? { ...found, state: 'unknown' } : found;
      }
      if (!found && onlyFreed) return undefined;
      if (!held && records.size >= maxKeys) sweep(now);
      if (!held && records.size >= maxKeys) throw new Error(`${maxKeys} idempotency keys are held`);
      const times = { leaseUntil: now + leaseMs, expiresAt: now + ttlMs };
      const claimed: Held = { ...claim, state: 'running', ...times };
      records.set(key, claimed);
      return claimed;
    },
    keep: async (key, owner, state, id) => change(key, owner, { state, id }),
    free: async (key, owner, leaseMs) =>
      change(key, owner, { state: 'freed', expiresAt: performance.now() + leaseMs }),
  };
}
