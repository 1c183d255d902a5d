import type { FastifyInstance, FastifyRequest } from 'fastify';
import type * as z from 'zod';
import { ApiError, type Problem } from './answers.js';

const jsonType = /^application\/([^;]+\+)?json\s*(;|$)/i;

/**
 * Adds a parser for JSON request bodies. A body of another media type stays a string, which no schema accepts; an empty
 * body is `undefined`.
 */
export function addJsonParser(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(
    '*',
    { parseAs: 'string' },
    async (request: FastifyRequest, text: string) => {
      if (text === '') return undefined;
      if (!jsonType.test(request.headers['content-type'] ?? '')) return text;
      try {
        return JSON.parse(text) as unknown;
      } catch {
        const problem = { type: 'json_invalid', msg: 'JSON decode error', input: {} };
        throw new ApiError(422, [{ ...problem, loc: ['body'] }]);
      }
    },
  );
}

/**
 * Validates the parts of a request against `schema`.
 *
 * @throws {ApiError} 422 with all problems when `input` is invalid; `loc` of a problem is its path within `input`
 */
export function parseRequest<T>(schema: z.ZodType<T>, input: unknown): T {
  const result = schema.safeParse(input, { reportInput: true });
  if (result.success) return result.data;
  throw new ApiError(422, result.error.issues.map(toProblem));
}

function toProblem({ code: type, message: msg, path, input = null }: z.core.$ZodIssue): Problem {
  const loc = path.map((step) => (typeof step === 'number' ? step : String(step)));
  return { type, loc, msg, input };
}
