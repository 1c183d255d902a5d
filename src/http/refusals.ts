import type { FastifyBaseLogger, FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { toErrorBody, toRefusalBody } from '../errors/error-body.js';
import { Refusal } from '../errors/refusal.js';

/** Time in ms in which `MAX_LINES` refusals of one status are logged: clients must not be able to fill the log. */
const WINDOW_MS = 10_000;
const MAX_LINES = 20;

/** Messages for requests that Fastify refuses. */
const NOT_JSON = 'The request body must be JSON, with content-type: application/json.';
const MALFORMED = 'The request is not well-formed.';

export type LogRefusal = (status: number, reason: string, requestId?: string) => void;

/**
 * Creates the log of requests that are refused before an operation runs. The first refusals of a status in each window
 * have a line; the next line of the status has the number of those `skipped`.
 */
export function createRefusalLog(logger: Pick<FastifyBaseLogger, 'info'>): LogRefusal {
  const windows = new Map<number, { endsAt: number; lines: number; skipped: number }>();
  return (status, reason, requestId) => {
    const now = performance.now();
    const window = windows.get(status) ?? { endsAt: 0, lines: 0, skipped: 0 };
    windows.set(status, window);
    if (now >= window.endsAt) Object.assign(window, { endsAt: now + WINDOW_MS, lines: 0 });
    if (window.lines === MAX_LINES) window.skipped++;
    else {
      const skipped = window.skipped || undefined;
      Object.assign(window, { lines: window.lines + 1, skipped: 0 });
      logger.info({ requestId, status, reason, skipped }, 'a request was refused');
    }
  };
}

/** Creates the handler of errors, which answers refusals in GraphQL's format, and logs each one. */
export function createErrorAnswer(logRefusal: LogRefusal) {
  return (
    error: FastifyError | Refusal,
    { id, log }: FastifyRequest,
    reply: FastifyReply,
  ): void => {
    const ofFastify = error instanceof Refusal ? 400 : (error.statusCode ?? 500);
    if (ofFastify >= 500) {
      log.error({ err: error, requestId: id }, 'a request failed');
      const body = toErrorBody('Internal server error', 'INTERNAL_SERVER_ERROR', id);
      return void reply.code(500).send(body);
    }
    const refusal =
      error instanceof Refusal
        ? error
        : new Refusal('BAD_REQUEST', ofFastify === 415 ? NOT_JSON : MALFORMED);
    const { status = ofFastify, headers = {}, message, extensions } = refusal;
    const { retryAfterSeconds } = extensions;
    if (retryAfterSeconds !== undefined)
      void reply.header('retry-after', String(retryAfterSeconds));
    logRefusal(status, message, id);
    return void reply.headers(headers).code(status).send(toRefusalBody(refusal, id));
  };
}
