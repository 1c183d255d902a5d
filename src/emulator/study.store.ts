import { createHash, randomUUID } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { studyRecordSchema, type StudyRecord } from './study.schema.js';

/** A study is known only to the bearer token that created it. Ids are looked up in any case. */
export interface StudyStore {
  /** Returns the new study's id, a random lower-case UUID. */
  create(token: string, record: StudyRecord): string;
  find(token: string, id: string): StudyRecord | undefined;
  /** One transaction; returns the changed record, or `undefined` when the token has no such study. */
  update(
    token: string,
    id: string,
    change: (record: StudyRecord) => StudyRecord,
  ): StudyRecord | undefined;
  close(): void;
}

/** How long a statement waits for another process's lock on the file. */
const busyTimeoutMs = 5000;

/** The owner is a SHA-256 of the token: the file holds no credential. */
const table = `
  CREATE TABLE IF NOT EXISTS study (
    id TEXT NOT NULL PRIMARY KEY,
    owner BLOB NOT NULL,
    record TEXT NOT NULL
  ) STRICT`;

/** Opens, or creates with its parent directory, the file `database`; `:memory:` keeps no file. */
export function openStudyStore(database: string): StudyStore {
  if (database !== ':memory:') mkdirSync(dirname(database), { recursive: true });
  const db = new DatabaseSync(database, { timeout: busyTimeoutMs });
  try {
    db.exec(`PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; ${table}`);
    return createStudyStore(db);
  } catch (error) {
    db.close();
    throw error;
  }
}

function createStudyStore(db: DatabaseSync): StudyStore {
  const insert = db.prepare('INSERT INTO study (id, owner, record) VALUES (?, ?, ?)');
  const select = db.prepare('SELECT record FROM study WHERE id = ? AND owner = ?');
  const replace = db.prepare('UPDATE study SET record = ? WHERE id = ? AND owner = ?');

  function find(token: string, id: string): StudyRecord | undefined {
    const row = select.get(id.toLowerCase(), toOwner(token));
    return row && studyRecordSchema.parse(JSON.parse(String(row['record'])));
  }

  return {
    create(token, record) {
      const id = randomUUID();
      insert.run(id, toOwner(token), JSON.stringify(record));
      return id;
    },
    find,
    update(token, id, change) {
      db.exec('BEGIN IMMEDIATE');
      try {
        const record = find(token, id);
        const changed = record && change(record);
        if (changed) replace.run(JSON.stringify(changed), id.toLowerCase(), toOwner(token));
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

function toOwner(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}
