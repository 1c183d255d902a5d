import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { isJsonObject, type JsonObject } from 'rest-outcome';
import * as z from 'zod';
import { ConfigError } from '../../config/config.js';
import { watchFiles } from '../../config/watched-file.js';
import type { AppPart } from '../../http/app.js';
import { Refusal } from '../../errors/refusal.js';

/** Texts of the documents that may run, by id and by SHA-256 in hex. */
type TrustedDocuments = ReadonlyMap<string, string>;

const MESSAGE = 'This gateway runs trusted documents only: POST the id or the whole text of one.';

/**
 * Refuses untrusted documents, and every GET, with 400, `BAD_REQUEST`, before Apollo sees them. Replaces the id of a trusted document
 * by its text, and removes all extensions, so that Apollo never looks up a persisted query.
 *
 * @param paths paths of the manifests, separated by commas; `undefined` allows every document. The part throws ConfigError
 *   when a manifest cannot be read or is not valid
 */
export function addTrustedDocuments(paths: string | undefined): AppPart | undefined {
  if (paths === undefined) return undefined;
  return async (app) => {
    const files = paths.split(/ *, */);
    const documents = await watchFiles(
      files,
      () => readTrustedDocuments(files),
      () => app.log.info({}, 'the trusted documents were changed'),
      (error) => app.log.warn({ err: error }, 'the trusted documents cannot be read'),
    );
    app.addHook('onClose', async () => documents.close());
    app.addHook('preHandler', (request, _, done) => {
      const { routeOptions, body } = request;
      if (routeOptions.url !== '/graphql') return done();
      const query = isJsonObject(body) ? findDocument(documents.current, body) : undefined;
      if (query === undefined) return done(new Refusal('BAD_REQUEST', MESSAGE, { status: 400 }));
      request.body = { ...Object(body), query, extensions: undefined };
      return done();
    });
  };
}

/**
 * Returns the trusted document to which the text and all names of a request refer; `undefined` when the text or a name is
 * unknown, or when text and names refer to different documents. An id may have the prefix `sha256:` of the
 * GraphQL-over-HTTP working draft.
 */
function findDocument(
  documents: TrustedDocuments,
  { query, id, documentId, extensions }: JsonObject,
): string | undefined {
  const text = typeof query === 'string' ? hash('sha256', query) : query;
  const given = [id, documentId, toHash(extensions), text].filter(
    (name) => name !== undefined && name !== null,
  );
  const found = new Set(
    given.map((name) =>
      typeof name === 'string' ? documents.get(name.replace(/^sha256:/, '')) : undefined,
    ),
  );
  return found.size === 1 ? [...found][0] : undefined;
}

/** Returns the hash that Apollo Client sends in `extensions`. */
function toHash(extensions: unknown): unknown {
  const { persistedQuery } = isJsonObject(extensions) ? extensions : {};
  return isJsonObject(persistedQuery) ? persistedQuery['sha256Hash'] : undefined;
}

/** The entries of a manifest: Apollo's `{ format, version, operations }`, or a plain `{ id: text }`. */
const manifestSchema = z
  .union([
    z.record(z.string().min(1), z.string()).transform((texts) => Object.entries(texts)),
    z
      .object({
        format: z.literal('apollo-persisted-query-manifest'),
        version: z.literal(1),
        operations: z.array(z.object({ id: z.string().min(1), body: z.string() })),
      })
      .transform(({ operations }) => operations.map(({ id, body }) => [id, body] as const)),
  ])
  .refine((entries) => entries.length > 0);

/** @throws ConfigError when a file cannot be read, or is not a manifest with at least one document */
function readTrustedDocuments(files: readonly string[]): TrustedDocuments {
  const documents = new Map<string, string>();
  for (const [id, text] of files.flatMap(readManifest)) {
    for (const name of [id, hash('sha256', text)]) {
      if ((documents.get(name) ?? text) !== text)
        throw unusable(`two documents have the id ${JSON.stringify(name)}`);
      documents.set(name, text);
    }
  }
  return documents;
}

function readManifest(file: string): z.infer<typeof manifestSchema> {
  try {
    return manifestSchema.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch (cause) {
    const needed = 'an Apollo manifest of version 1, or an object of documents by id';
    throw unusable(`${file} cannot be read, or is not ${needed}`, cause);
  }
}

function unusable(problem: string, cause?: unknown): ConfigError {
  return new ConfigError(`TRUSTED_DOCUMENTS: ${problem}.`, { cause });
}
