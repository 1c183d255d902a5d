import { hash } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import { isJsonObject, type JsonObject } from 'rest-outcome';
import type { AppPart } from '../../http/app.js';
import { toErrorBody } from '../../errors/error-body.js';
import { toSearch } from '../../http/http-operation.js';
import { readTrustedDocuments, type TrustedDocuments } from './trusted-documents.js';

/** Parameters that may hold the id of a document. */
const NAMES = ['id', 'documentId'];

const MESSAGE =
  'Only documents that this gateway knows run here: send the id or the whole text of one of them.';

/**
 * Refuses untrusted documents with 400, `BAD_REQUEST`, before Apollo sees them. Replaces the id of a trusted document
 * by its text, so that Apollo never looks up a persisted query.
 *
 * @param path path of the manifest; `undefined` allows every document
 * @throws ConfigError when the manifest cannot be read or is not valid
 */
export function addTrustedDocuments(path: string | undefined): AppPart | undefined {
  if (path === undefined) return undefined;
  const documents = readTrustedDocuments(path);
  return (app) =>
    void app.addHook('preHandler', (request, reply, done) => {
      const isOperation = request.method === 'GET' || request.method === 'POST';
      if (request.routeOptions.url !== '/graphql' || !isOperation) return done();
      const isTrusted =
        request.method === 'GET' ? trustSearch(request, documents) : trustBody(request, documents);
      if (isTrusted) return done();
      return reply.code(400).send(toErrorBody(MESSAGE, 'BAD_REQUEST', request.id));
    });
}

function trustBody(request: FastifyRequest, documents: TrustedDocuments): boolean {
  const { body } = request;
  if (!isJsonObject(body)) return false;
  const { query: given, extensions, ...rest } = body;
  const query = findDocument(documents, given, [
    ...NAMES.map((name) => body[name]),
    ...toHash(extensions),
  ]);
  if (query === undefined) return false;
  request.body = {
    ...rest,
    query,
    ...(isJsonObject(extensions) && { extensions: strip(extensions) }),
  };
  return true;
}

function trustSearch(request: FastifyRequest, documents: TrustedDocuments): boolean {
  const search = new URLSearchParams(toSearch(request));
  const extensions = parse(search.get('extensions'));
  const query = findDocument(documents, search.get('query'), [
    ...NAMES.map((name) => search.get(name)),
    ...toHash(extensions),
  ]);
  if (query === undefined) return false;
  // `set` also removes all further `query` parameters.
  search.set('query', query);
  search.delete('extensions');
  if (isJsonObject(extensions)) search.set('extensions', JSON.stringify(strip(extensions)));
  request.raw.url = `${request.url.split('?')[0]}?${search.toString()}`;
  return true;
}

/**
 * Returns the trusted document to which the text and all names refer; `undefined` when the text or a name is unknown,
 * or when text and names refer to different documents. An id may have the prefix `sha256:` of the GraphQL-over-HTTP
 * working draft.
 *
 * @param names ids and hashes in the request
 */
function findDocument(
  documents: TrustedDocuments,
  text: unknown,
  names: readonly unknown[],
): string | undefined {
  const given = names.filter((name) => name !== undefined && name !== null);
  if (text !== undefined && text !== null)
    given.push(typeof text === 'string' ? hash('sha256', text) : text);
  const found = new Set(
    given.map((name) =>
      typeof name === 'string' ? documents.get(name.replace(/^sha256:/, '')) : undefined,
    ),
  );
  return found.size === 1 ? [...found][0] : undefined;
}

/**
 * Returns `[hash]` with the persisted-query hash that Apollo Client sends in `extensions`; `[false]` if the
 * `persistedQuery` is malformed, `[]` if there is none.
 */
function toHash(extensions: unknown): unknown[] {
  if (!isJsonObject(extensions)) return [];
  const { persistedQuery } = extensions;
  if (persistedQuery === undefined || persistedQuery === null) return [];
  return [isJsonObject(persistedQuery) ? (persistedQuery['sha256Hash'] ?? false) : false];
}

function strip(extensions: JsonObject): object {
  return { ...extensions, persistedQuery: undefined };
}

function parse(json: string | null): unknown {
  try {
    return json === null ? undefined : JSON.parse(json);
  } catch {
    // Malformed JSON counts as no extensions.
    return undefined;
  }
}
