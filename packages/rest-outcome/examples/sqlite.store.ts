// A store of idempotency keys for all processes of one machine: idempotent(sqliteStore('keys.db')).
import { DatabaseSync } from 'node:sqlite';
import { KEY_TTL_MS, keyStates, type KeyStore } from 'rest-outcome';

/** @param ttlMs lifetime of a key, from its claim */
export function sqliteStore(path: string, ttlMs = KEY_TTL_MS): KeyStore {
  const database = new DatabaseSync(path, { timeout: 1_000 });
  database.exec(`CREATE TABLE IF NOT EXISTS keys
    (key TEXT PRIMARY KEY, owner TEXT, "by" TEXT, fingerprint TEXT, state TEXT, id TEXT, leaseUntil INTEGER, expiresAt INTEGER)`);
  const forget = database.prepare('DELETE FROM keys WHERE expiresAt <= ?');
  // One statement is atomic: of two concurrent claims, one inserts or changes the row.
  const claimKey = database.prepare(`INSERT INTO keys
    SELECT :key, :owner, :by, :fingerprint, 'running', NULL, :leaseUntil, :expiresAt
    WHERE :isNew OR EXISTS (SELECT 1 FROM keys WHERE key = :key)
    ON CONFLICT (key) DO UPDATE SET owner = excluded.owner, "by" = excluded."by", state = 'running',
    leaseUntil = excluded.leaseUntil, expiresAt = excluded.expiresAt
    WHERE keys.fingerprint = excluded.fingerprint AND keys.state = 'freed'`);
  const find = database.prepare(`SELECT owner, "by", fingerprint, id,
    CASE WHEN state = 'running' AND leaseUntil < ? THEN 'unknown' ELSE state END AS state
    FROM keys WHERE key = ?`);
  // By owner: a call that ends after its key has expired must not touch the next claim.
  const keep = database.prepare('UPDATE keys SET state = ?, id = ? WHERE key = ? AND owner = ?');
  const free = database.prepare(
    `UPDATE keys SET state = 'freed', expiresAt = ? WHERE key = ? AND owner = ?`,
  );

  return {
    async claim(key, { leaseMs, onlyFreed, ...claim }) {
      const now = Date.now();
      forget.run(now);
      const times = { leaseUntil: now + leaseMs, expiresAt: now + ttlMs };
      claimKey.run({ key, ...claim, ...times, isNew: onlyFreed ? 0 : 1 });
      const found = find.get(now, key);
      if (!found) return undefined;
      const { owner, by, fingerprint, id } = found;
      const state = keyStates.find((one) => one === found['state']) ?? 'unknown';
      const texts = { owner: String(owner), by: String(by), fingerprint: String(fingerprint) };
      return { ...texts, state, id: id === null ? undefined : String(id) };
    },
    async keep(key, owner, state, id) {
      keep.run(state, id ?? null, key, owner);
    },
    async free(key, owner, leaseMs) {
      free.run(Date.now() + leaseMs, key, owner);
    },
    close: async () => database.close(),
  };
}
