import type { FastifyReply, FastifyRequest } from 'fastify';

/** One entry in `detail` of a 422 answer, in the format of FastAPI. `type` and `msg` are zod’s. */
export interface Problem {
  readonly type: string;
  readonly loc: readonly (string | number)[];
  readonly msg: string;
  readonly input: unknown;
}

/** An error answer of the emulator. Its body has the format of FastAPI: `{ "detail": … }`. */
export class ApiError extends Error {
  override readonly name = 'ApiError';

  constructor(
    readonly status: number,
    readonly detail: string | Problem[],
    readonly headers: Readonly<Record<string, string>> = {},
  ) {
    super(`${status} ${typeof detail === 'string' ? detail : 'Validation Error'}`);
  }
}

/** Answers an error; an unexpected error is a 500 and is logged. */
export function answerError(
  error: Error & { statusCode?: number },
  request: FastifyRequest,
  reply: FastifyReply,
): void {
  if (error instanceof ApiError) {
    reply.code(error.status).headers(error.headers).send({ detail: error.detail });
    return;
  }
  const { statusCode = 500, message } = error;
  if (statusCode >= 500) request.log.error(error);
  reply.code(statusCode).send({ detail: statusCode < 500 ? message : 'Internal Server Error' });
}
