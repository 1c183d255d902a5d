import { createHash, randomUUID } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { ApiError } from './answers.js';
import { studyRecordSchema, studySchema, type Study, type StudyRecord } from './study.schema.js';

/** Timeout for a statement that waits for another process's lock on the file. */
const busyTimeoutMs = 5000;

/** `owner` is the SHA-256 of the token, so that the file holds no credential. Newer studies have higher rowids. */
const table = `
  CREATE TABLE IF NOT EXISTS study (
    id TEXT NOT NULL PRIMARY KEY,
    owner BLOB NOT NULL,
    record TEXT NOT NULL
  ) STRICT;
  CREATE INDEX IF NOT EXISTS study_owner ON study (owner);
  CREATE TABLE IF NOT EXISTS honoured (
    key TEXT NOT NULL,
    owner BLOB NOT NULL,
    request TEXT NOT NULL,
    study TEXT NOT NULL,
    PRIMARY KEY (key, owner)
  ) STRICT`;

/** SQL that selects the studies of the owner `?1`; `?2` is a JSON array of project ids, or `null` for all projects. */
const ofOwner = `
  FROM study WHERE owner = ?1 AND (?2 IS NULL
    OR lower(record ->> '$.projectId') IN (SELECT lower(value) FROM json_each(?2)))`;

export type StudyStore = ReturnType<typeof openStudyStore>;

/**
 * Opens the SQLite file `database`; creates the file and its directory if missing. `:memory:` uses no file.
 *
 * Only the bearer token that created a study can access it. Ids are in lower case.
 */
export function openStudyStore(database: string) {
  if (database !== ':memory:') mkdirSync(dirname(database), { recursive: true });
  const db = new DatabaseSync(database, { timeout: busyTimeoutMs });
  db.exec(`PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; ${table}`);
  const insert = db.prepare('INSERT INTO study (id, owner, record) VALUES (?, ?, ?)');
  const select = db.prepare('SELECT record FROM study WHERE id = ? AND owner = ?');
  const selectSlice = db.prepare(
    `SELECT id, record ${ofOwner} ORDER BY rowid DESC LIMIT ?3 OFFSET ?4`,
  );
  const count = db.prepare(`SELECT count(*) AS total ${ofOwner}`);
  const replace = db.prepare('UPDATE study SET record = ? WHERE id = ? AND owner = ?');

  const selectKept = db.prepare('SELECT request, study FROM honoured WHERE key = ? AND owner = ?');
  const keep = db.prepare('INSERT INTO honoured (key, owner, request, study) VALUES (?, ?, ?, ?)');

  function inTransaction<T>(work: () => T): T {
    if (db.isTransaction) return work();
    db.exec('BEGIN IMMEDIATE');
    try {
      const result = work();
      db.exec('COMMIT');
      return result;
    } catch (error) {
      if (db.isTransaction) db.exec('ROLLBACK');
      throw error;
    }
  }

  function find(token: string, id: string): StudyRecord | undefined {
    const row = select.get(id, toOwner(token));
    return row && toRecord(row);
  }

  return {
    /** Returns the new study's id, a random lower-case UUID. */
    create(token: string, record: StudyRecord): string {
      const id = randomUUID();
      insert.run(id, toOwner(token), JSON.stringify(record));
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
    /** Changes a study in one transaction. Returns the changed record, or `undefined` if the token has no such study. */
    update(token: string, id: string, change: (record: StudyRecord) => StudyRecord) {
      return inTransaction(() => {
        const record = find(token, id);
        const changed = record && change(record);
        if (changed) replace.run(JSON.stringify(changed), id, toOwner(token));
        return changed;
      });
    },
    /**
     * Makes the write of a request with an idempotency key, or returns what an earlier request with the key wrote.
     *
     * @throws ApiError 422 when the earlier request was another one
     */
    once(token: string, key: string, request: string, make: () => Study): Study {
      return inTransaction(() => {
        const kept = selectKept.get(key, toOwner(token));
        if (kept && kept['request'] !== request)
          throw new ApiError(422, 'The idempotency key was used with another request');
        if (kept) return studySchema.parse(JSON.parse(String(kept['study'])));
        const study = make();
        keep.run(key, toOwner(token), request, JSON.stringify(study));
        return study;
      });
    },
    close: () => db.close(),
  };
}

function toRecord(row: Readonly<Record<string, unknown>>): StudyRecord {
  return studyRecordSchema.parse(JSON.parse(String(row['record'])));
}

function toOwner(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}
