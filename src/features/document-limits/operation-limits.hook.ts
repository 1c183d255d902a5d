import type { FastifyRequest } from 'fastify';
import { LRUCache } from 'lru-cache';
import { findBrokenLimit, MAX_LENGTH, type OperationLimits } from './operation-limits.js';
import { Refusal } from '../../errors/refusal.js';
import type { AppPart } from '../../http/app.js';
import { toSearch } from '../../http/http-operation.js';

/** Maximum number of documents whose verdict is remembered; the least recently used one is evicted first. */
const MAX_DOCUMENTS = 12_000;
/** Maximum number of characters of these documents together. */
const MAX_CHARACTERS = 8_000_000;
/** Verdict on a document within the limits. */
const SOUND = '';

/** Refuses a document that breaks a limit with 400, `GRAPHQL_VALIDATION_FAILED`, before Apollo sees the document. */
export function addOperationLimits(limits: OperationLimits): AppPart {
  const { maxDocumentLength = MAX_LENGTH } = limits;
  const verdicts = new LRUCache<string, string>({
    max: MAX_DOCUMENTS,
    maxSize: MAX_CHARACTERS,
    sizeCalculation: (_, source) => source.length + 1,
  });

  return (app) =>
    void app.addHook('preHandler', (request, _, done) => {
      const source = readSource(request);
      if (source === undefined) return done();
      const verdict = verdicts.get(source) ?? findBrokenLimit(source, limits) ?? SOUND;
      if (source.length <= maxDocumentLength) verdicts.set(source, verdict);
      if (verdict === SOUND) return done();
      return done(
        new Refusal('GRAPHQL_VALIDATION_FAILED', verdict, { status: 400, bound: 'document' }),
      );
    });
}

/** Reads the document exactly as Apollo does; otherwise a client could have one document measured and another run. */
function readSource(request: FastifyRequest): string | undefined {
  const { method, body } = request;
  if (method === 'GET') return new URLSearchParams(toSearch(request)).get('query') ?? undefined;
  if (typeof body !== 'object' || body === null || !('query' in body)) return undefined;
  return typeof body.query === 'string' ? body.query : undefined;
}
