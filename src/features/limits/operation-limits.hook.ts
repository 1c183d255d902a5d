import type { FastifyRequest } from 'fastify';
import { LRUCache } from 'lru-cache';
import { findBrokenLimit, type OperationLimits } from './operation-limits.js';
import type { AppPart } from '../../http/app.js';
import { toErrorBody } from '../../http/error-body.js';
import { toSearch } from '../../http/query-string.js';

/** Maximum number of cached documents. The cache holds the documents that are known to be within the limits. */
const MAX_DOCUMENTS = 12_000;
/** Maximum total length of the cached documents, in characters. */
const MAX_CHARACTERS = 8_000_000;

/** Refuses a document that breaks a limit with 400, `GRAPHQL_VALIDATION_FAILED`, before Apollo sees the document. */
export function addOperationLimits(limits: OperationLimits): AppPart {
  const sound = new LRUCache<string, true>({
    max: MAX_DOCUMENTS,
    maxSize: MAX_CHARACTERS,
    sizeCalculation: (_, source) => source.length + 1,
  });

  return (app) =>
    void app.addHook('preHandler', (request, reply, done) => {
      const source = readSource(request);
      if (source === undefined || sound.has(source)) return done();
      const broken = findBrokenLimit(source, limits);
      if (broken !== undefined)
        return reply.code(400).send(toErrorBody(broken, 'GRAPHQL_VALIDATION_FAILED', request.id));
      sound.set(source, true);
      return done();
    });
}

/** Reads the document exactly as Apollo does; otherwise a client could have one document measured and another run. */
function readSource(request: FastifyRequest): string | undefined {
  const { method, body } = request;
  if (method === 'GET') return new URLSearchParams(toSearch(request)).get('query') ?? undefined;
  if (typeof body !== 'object' || body === null || !('query' in body)) return undefined;
  return typeof body.query === 'string' ? body.query : undefined;
}
