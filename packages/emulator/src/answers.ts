import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';

/** Schema of one entry in `detail` of a 422 answer, in the format of FastAPI and pydantic. */
export const problemSchema = z.strictObject({
  type: z.string(),
  loc: z.array(z.union([z.string(), z.int()])),
  msg: z.string(),
  input: z.unknown(),
});

export type Problem = z.infer<typeof problemSchema>;

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

/** Answers to errors of Fastify, by error code, with the messages of FastAPI. */
const refusals: Readonly<Record<string, ApiError>> = {
  FST_ERR_CTP_BODY_TOO_LARGE: new ApiError(413, 'Request body too large'),
  FST_ERR_CTP_INVALID_MEDIA_TYPE: new ApiError(422, [
    {
      type: 'model_attributes_type',
      loc: ['body'],
      msg: 'Input should be a valid dictionary or object to extract fields from',
      input: null,
    },
  ]),
  FST_ERR_BAD_URL: new ApiError(400, 'There was an error parsing the URL'),
};

/** Answers an error; an unexpected error is a 500 and is logged. */
export function answerError(
  error: Error & { code?: string; statusCode?: number },
  request: FastifyRequest,
  reply: FastifyReply,
): void {
  const { status, detail, headers } = toApiError(error);
  if (status >= 500 && !(error instanceof ApiError)) request.log.error(error);
  reply.code(status).headers(headers).send({ detail });
}

function toApiError(error: Error & { code?: string; statusCode?: number }): ApiError {
  if (error instanceof ApiError) return error;
  const { code = '', statusCode = 500 } = error;
  if (refusals[code]) return refusals[code];
  return statusCode < 500
    ? new ApiError(statusCode, error.message)
    : new ApiError(500, 'Internal Server Error');
}

/** Answers 404 to an unknown path before the body is read, so that an invalid body cannot cause another status. */
export function addNotFound(app: FastifyInstance): void {
  app.addHook('onRequest', async (request) => {
    if (request.is404) throw new ApiError(404, 'Not Found');
  });
}

/** Answers 405 to requests for `url` with a method that is not in `allowed`. */
export function addMethodNotAllowed(app: FastifyInstance, url: string, allowed: string[]): void {
  const refuse = async () => {
    throw new ApiError(405, 'Method Not Allowed', { allow: allowed.join(', ') });
  };
  const method = app.supportedMethods.filter((name) => !allowed.includes(name));
  app.route({ method, url, onRequest: refuse, handler: refuse });
}
