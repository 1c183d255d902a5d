// A store of idempotency keys for all processes of one machine: idempotent(sqliteStore('keys.db')).
import { randomUUID } from 'node:crypto';
import { DatabaseSync, type StatementSync } from 'node:sqlite';
import type { KeyStore } from 'rest-outcome';

const DAY_MS = 86_400_000;

/** @param ttlMs lifetime of a key, from its claim */
export function sqliteStore(path: string, ttlMs = DAY_MS): KeyStore {
  const database = new DatabaseSync(path, { timeout: 1_000 });
  database.exec(`CREATE TABLE IF NOT EXISTS keys
    (id TEXT PRIMARY KEY, fingerprint TEXT, owner TEXT, leaseUntil INTEGER, expiresAt INTEGER, record TEXT, callerId TEXT)`);
  const forget = database.prepare('DELETE FROM keys WHERE expiresAt <= ?');
  // One statement is atomic: of two concurrent claims, one inserts or changes the row.
  const insert = database.prepare(`INSERT INTO keys
    VALUES (:id, :fingerprint, :owner, :leaseUntil, :expiresAt, NULL, :callerId) ON CONFLICT (id) DO UPDATE
    SET owner = :owner, leaseUntil = :leaseUntil, record = NULL
    WHERE fingerprint = :fingerprint AND
      (record = :over OR (:over = '' AND record IS NULL AND leaseUntil < :now))`);
  const find = database.prepare(
    'SELECT fingerprint, leaseUntil, record, callerId FROM keys WHERE id = ?',
  );
  // By owner: a call that ends after its key has expired must not touch the next claim.
  const keep = database.prepare('UPDATE keys SET record = ? WHERE id = ? AND owner = ?');
  const free = database.prepare('DELETE FROM keys WHERE id = ? AND owner = ?');

  /** Never rejects: a call whose record cannot be stored counts as `lost` when its lease has expired. */
  const settle = async (statement: StatementSync, ...values: string[]): Promise<void> => {
    try {
      statement.run(...values);
    } catch (error) {
      console.error('the result of a call is not in the store', error);
    }
  };

  return {
    async claim(id, fingerprint, callerId, leaseMs, over) {
      const now = Date.now();
      const owner = randomUUID();
      forget.run(now);
      const times = { leaseUntil: now + leaseMs, expiresAt: now + ttlMs, now };
      const claimed = { id, fingerprint, owner, callerId, over: over ?? null };
      const { changes } = insert.run({ ...claimed, ...times });
      if (changes === 1)
        return {
          state: 'claimed',
          keep: (record) => settle(keep, record, id, owner),
          free: () => settle(free, id, owner),
        };
      const found = find.get(id);
      // Rejects: the call is `NOT_SENT`.
      if (!found) throw new Error('the key was freed meanwhile');
      if (found['fingerprint'] !== fingerprint) return { state: 'reused' };
      const { record } = found;
      const claimant = { callerId: String(found['callerId']) };
      if (typeof record === 'string') return { state: 'settled', record, ...claimant };
      return Number(found['leaseUntil']) < now
        ? { state: 'lost', ...claimant }
        : { state: 'running' };
    },
    close: async () => database.close(),
  };
}
