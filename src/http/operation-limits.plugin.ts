import type { FastifyInstance, FastifyRequest } from 'fastify';
import { LRUCache } from 'lru-cache';
import { findBrokenLimit, type OperationLimits } from '../graphql/operation-limits.js';
import { toErrorBody } from './error-body.js';

/** Documents that are remembered to be within the limits. */
const MAX_REMEMBERED = 500;

/** Refuses, before Apollo sees it, a document that breaks a limit: 400, `GRAPHQL_VALIDATION_FAILED`. */
export function addOperationLimits(app: FastifyInstance, limits: OperationLimits): void {
  const sound = new LRUCache<string, true>({ max: MAX_REMEMBERED });

  app.addHook('preHandler', (request, reply, done) => {
    const source = readSource(request);
    if (source === undefined || sound.has(source)) return done();
    const broken = findBrokenLimit(source, limits);
    if (broken !== undefined) {
      return reply.code(400).send(toErrorBody(broken, 'GRAPHQL_VALIDATION_FAILED', request.id));
    }
    sound.set(source, true);
    return done();
  });
}

function readSource({ body, query }: FastifyRequest): string | undefined {
  for (const holder of [body, query])
    if (typeof holder === 'object' && holder !== null && 'query' in holder)
      if (typeof holder.query === 'string') return holder.query;
  return undefined;
}
