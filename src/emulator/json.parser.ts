import type { FastifyInstance } from 'fastify';
import { ApiError } from './api.error.js';

const jsonType = /^application\/([^;]+\+)?json\s*(;|$)/i;

/**
 * Adds a parser for JSON request bodies. A body of another media type stays a string, which no schema accepts; an empty
 * body is `undefined`.
 */
export function addJsonParser(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'string' }, (request, text, done) => {
    const isJson = jsonType.test(request.headers['content-type'] ?? '');
    try {
      done(null, text === '' ? undefined : isJson ? parseJson(String(text)) : text);
    } catch (error) {
      done(error instanceof Error ? error : new Error(String(error)));
    }
  });
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new ApiError(422, [
      {
        type: 'json_invalid',
        loc: ['body', toOffset(String(error))],
        msg: 'JSON decode error',
        input: {},
      },
    ]);
  }
}

/** Returns the offset that V8's error message names, in UTF-16 code units; 0 if the message names none. */
function toOffset(message: string): number {
  return Number(/at position (\d+)/.exec(message)?.[1] ?? 0);
}
