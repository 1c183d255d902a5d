import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { parse } from 'graphql';
import { z } from 'zod';
import { ConfigError } from '../../config/config.js';

/** Texts of the documents that may run, by id and by SHA-256 in hex. */
export type TrustedDocuments = ReadonlyMap<string, string>;

const apolloSchema = z.object({
  format: z.literal('apollo-persisted-query-manifest'),
  version: z.literal(1),
  operations: z.array(z.object({ id: z.string().min(1), body: z.string() })),
});
const mapSchema = z.record(z.string().min(1), z.string());

/**
 * Reads manifests: each is Apollo's `{ format, version, operations }`, or a plain `{ id: text }`.
 *
 * @param paths paths of the files, separated by commas
 * @throws ConfigError when a file cannot be read, or is not a manifest with at least one valid document
 */
export function readTrustedDocuments(paths: string): TrustedDocuments {
  const documents = new Map<string, string>();
  for (const { id, body } of paths.split(/ *, */).flatMap(readEntries)) {
    try {
      parse(body, { noLocation: true });
    } catch (cause) {
      throw refused(`${quote(id)} is not a valid GraphQL document`, cause);
    }
    for (const name of [id, hash('sha256', body)]) {
      if ((documents.get(name) ?? body) !== body)
        throw refused(`two documents have the id ${quote(name)}`);
      documents.set(name, body);
    }
  }
  return documents;
}

function readEntries(path: string): readonly { readonly id: string; readonly body: string }[] {
  const manifest = readJson(path);
  const map = mapSchema.safeParse(manifest).data;
  const entries = map
    ? Object.entries(map).map(([id, body]) => ({ id, body }))
    : apolloSchema.safeParse(manifest).data?.operations;
  if (!entries)
    throw refused(
      'the file is neither an Apollo manifest of version 1 nor an object of documents by id',
    );
  if (entries.length === 0) throw refused('the file has no document');
  return entries;
}

function readJson(path: string): unknown {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (cause) {
    throw refused('the file cannot be read', cause);
  }
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw refused('the file is not JSON', cause);
  }
}

function refused(problem: string, cause?: unknown): ConfigError {
  return new ConfigError(`TRUSTED_DOCUMENTS: ${problem}.`, { cause });
}

function quote(id: string): string {
  return JSON.stringify(id.slice(0, 100));
}
