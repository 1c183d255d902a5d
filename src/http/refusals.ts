import type { FastifyBaseLogger, FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { LRUCache } from 'lru-cache';
import { Refusal } from '../errors/refusal.js';
import { sendResponse } from './response.js';

/** Maximum number of refusals of one status that are logged in a window: clients must not be able to fill the log. */
const MAX_LINES = 20;
const WINDOW_MS = 10_000;

/** Messages for requests that Fastify refuses. */
const NOT_JSON = 'The request body must be JSON, with content-type: application/json.';
const MALFORMED = 'The request is not well-formed.';

/** Error of a request that may have run an operation. */
const unexpected = {
  message: 'Internal server error',
  extensions: { outcome: 'UNKNOWN', retryable: false, code: 'INTERNAL_SERVER_ERROR' },
};

export type LogRefusal = (status: number, reason: string, requestId?: string) => void;

/** Creates the log of requests that are refused before an operation runs. */
export function createRefusalLog(logger: Pick<FastifyBaseLogger, 'info'>): LogRefusal {
  const counts = new LRUCache<number, number>({ max: 50, ttl: WINDOW_MS, noUpdateTTL: true });
  return (status, reason, requestId) => {
    const count = (counts.get(status) ?? 0) + 1;
    counts.set(status, count);
    if (count <= MAX_LINES) logger.info({ requestId, status, reason }, 'a request was refused');
  };
}

/** Creates the handler of errors, which answers refusals in GraphQL's format, and logs each one. */
export function createErrorAnswer(logRefusal: LogRefusal) {
  return (error: FastifyError | Refusal, request: FastifyRequest, reply: FastifyReply): void => {
    const { id, log } = request;
    const isRefusal = error instanceof Refusal;
    const status = isRefusal ? (error.status ?? 400) : (error.statusCode ?? 500);
    if (!isRefusal && status >= 500) {
      log.error({ err: error, requestId: id }, 'a request failed');
      return sendResponse({ errors: [unexpected] }, request, reply.code(500));
    }
    const {
      message,
      extensions,
      headers = {},
    } = isRefusal ? error : new Refusal('BAD_REQUEST', status === 415 ? NOT_JSON : MALFORMED);
    logRefusal(status, message, id);
    sendResponse(
      { errors: [{ message, extensions }] },
      request,
      reply.headers(headers).code(status),
    );
  };
}
