import type { FastifyBaseLogger, FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { Refusal } from '../errors/refusal.js';
import { sendResponse } from './response.js';

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
  return (status, reason, requestId) =>
    logger.info({ requestId, status, reason }, 'a request was refused');
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
