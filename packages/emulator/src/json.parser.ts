import type { FastifyInstance, FastifyRequest } from 'fastify';
import { ApiError } from './answers.js';

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
      } catch (error) {
        // V8's message names the offset in UTF-16 code units.
        const [, offset = 0] = /at position (\d+)/.exec(String(error)) ?? [];
        const loc = ['body', Number(offset)];
        const problem = { type: 'json_invalid', loc, msg: 'JSON decode error', input: {} };
        throw new ApiError(422, [problem]);
      }
    },
  );
}
