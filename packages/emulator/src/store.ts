import { createHash, randomUUID } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { isDeepStrictEqual } from 'node:util';
import { toRunning } from './record.js';
import { studyRecordSchema, type StudyRecord } from './schema.js';

/**
 * `owner` is the SHA-256 of the token, so that the file holds no credential. Newer studies have higher rowids. `started` is
 * the time in ms since 1970 at which a running study was created; NULL for other studies.
 */
const table = `
  CREATE TABLE IF NOT EXISTS studies (
    id TEXT NOT NULL PRIMARY KEY,
    owner BLOB NOT NULL,
    record TEXT NOT NULL,
    started INTEGER
  ) STRICT;
  CREATE INDEX IF NOT EXISTS studies_owner ON studies (owner)`;

/** SQL that selects the studies of the owner `?1`; `?2` is a JSON array of project ids, or `null` for all projects. */
const ofOwner = `
  FROM studies WHERE owner = ?1 AND (?2 IS NULL
    OR lower(record ->> '$.projectId') IN (SELECT lower(value) FROM json_each(?2)))`;

export type StudyStore = ReturnType<typeof openStudyStore>;

/**
 * Opens the SQLite file `database`; creates the file and its directory if missing. `:memory:` uses no file.
 *
 * Only the bearer token that created a study can access it. Ids are in lower case.
 */
export function openStudyStore(database: string) {
  if (database !== ':memory:') mkdirSync(dirname(database), { recursive: true });
  // In ms, for a statement that waits for another process's lock on the file.
  const db = new DatabaseSync(database, { timeout: 5_000 });
  db.exec(`PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; ${table}`);
  const insert = db.prepare('INSERT INTO studies (id, owner, record, started) VALUES (?, ?, ?, ?)');
  const select = db.prepare('SELECT record, started FROM studies WHERE id = ? AND owner = ?');
  const selectSlice = db.prepare(
    `SELECT id, record, started ${ofOwner} ORDER BY rowid DESC LIMIT ?3 OFFSET ?4`,
  );
  const count = db.prepare(`SELECT count(*) AS total ${ofOwner}`);
  const replace = db.prepare(
    'UPDATE studies SET record = ?, started = ? WHERE id = ? AND owner = ?',
  );

  function find(token: string, id: string): StudyRecord | undefined {
    const row = select.get(id, toOwner(token));
    return row && toRecord(row);
  }

  return {
    /** Returns the new study's id, a random lower-case UUID. @param isRunning whether the study's interviews begin now */
    create(token: string, record: StudyRecord, isRunning: boolean): string {
      const id = randomUUID();
      insert.run(id, toOwner(token), JSON.stringify(record), isRunning ? Date.now() : null);
      return id;
    },
    find,
    /**
     * Returns a slice of the token's studies, newest first; `total` ignores `offset` and `limit`.
     *
     * @param projectIds ids of projects, in upper or lower case; `undefined` selects the studies of all projects
     */
    list(token: string, projectIds: readonly string[] | undefined, offset: number, limit: number) {
      const owner = toOwner(token);
      const projects = projectIds ? JSON.stringify(projectIds) : null;
      const rows = selectSlice.all(owner, projects, limit, offset);
      return {
        studies: rows.map((row) => ({ id: String(row['id']), record: toRecord(row) })),
        total: Number(count.get(owner, projects)?.['total']),
      };
    },
    /**
     * Changes a study in one transaction. A study stops running when its progress or status changes.
     *
     * @returns the changed record, or `undefined` if the token has no such study
     */
    update(token: string, id: string, change: (record: StudyRecord) => StudyRecord) {
      db.exec('BEGIN IMMEDIATE');
      try {
        const row = select.get(id, toOwner(token));
        const record = row && toRecord(row);
        const changed = record && change(record);
        if (changed) {
          const isStopped =
            changed.status !== record.status ||
            !isDeepStrictEqual(changed.progress, record.progress);
          const started = isStopped ? null : (row['started'] ?? null);
          replace.run(JSON.stringify(changed), started, id, toOwner(token));
        }
        db.exec('COMMIT');
        return changed;
      } catch (error) {
        if (db.isTransaction) db.exec('ROLLBACK');
        throw error;
      }
    },
    close: () => db.close(),
  };
}

function toRecord(row: Readonly<Record<string, unknown>>): StudyRecord {
  const record = studyRecordSchema.parse(JSON.parse(String(row['record'])));
  const { started } = row;
  return typeof started === 'number' ? toRunning(record, Date.now() - started) : record;
}

function toOwner(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}
