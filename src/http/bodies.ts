import { Refusal } from '../errors/refusal.js';
import { parseExactJson } from '../json/parse-json.js';
import type { AppPart } from './app.js';
import { ByteBudget, type MemoryLimits } from './memory.js';

/** Number of bytes of each body that do not count. */
const FREE_BYTES = 4_096;
/** Number of chunks that become one, beside one for each KiB: a chunk of one byte takes hundreds of bytes. */
const MAX_CHUNKS = 16;
/**
 * Maximum number of commas and opening brackets in a body, those in its strings included. There is one for each value but
 * the first, and the cost of a body grows with its values more than with its bytes.
 */
const MAX_SEPARATORS = 20_000;

declare module 'fastify' {
  interface FastifyRequest {
    /** Bytes of a body that may be longer than `FREE_BYTES`; `null` for any other body. */
    bodyBytes: ReturnType<ByteBudget['part']> | null;
  }
}

/** Decodes UTF-8; throws `TypeError` on bytes that are not UTF-8. */
const utf8 = new TextDecoder('utf-8', { fatal: true });

/**
 * Reads JSON bodies in UTF-8. Answers 415 to any other media type, 413 to a body over `maxBodyBytes`, 503 if all bodies are
 * too long together, and 400 to a body that is not JSON in UTF-8, or has too many values.
 */
export function addBodies(maxBodyBytes: number, { maxAllBodiesBytes }: MemoryLimits): AppPart {
  const budget = new ByteBudget(maxAllBodiesBytes);
  return (app) => {
    app.removeAllContentTypeParsers();
    app.decorateRequest('bodyBytes', null);
    app.addHook('onRequest', (request, { raw }, done) => {
      // A chunked body has no length.
      const length = Number(request.headers['content-length'] ?? Infinity);
      if (length > FREE_BYTES && request.method !== 'GET') {
        const bytes = (request.bodyBytes = budget.part(FREE_BYTES));
        raw.once('close', () => bytes.end());
      }
      done();
    });
    app.addContentTypeParser('application/json', ({ headers, bodyBytes }, payload, done) => {
      if (Number(headers['content-length']) > maxBodyBytes) return done(tooLong(maxBodyBytes));
      let chunks: Buffer[] = [];
      let length = 0;
      const refuse = (refusal: Refusal): void => {
        payload.off('data', onData).off('end', onEnd);
        done(refusal);
      };
      const onData = (chunk: Buffer): void => {
        length += chunk.length;
        if (length > maxBodyBytes) refuse(tooLong(maxBodyBytes));
        else if (bodyBytes?.take(chunk.length) === false) refuse(overloaded());
        else if (chunks.push(chunk) > MAX_CHUNKS + length / 1_024) chunks = [Buffer.concat(chunks)];
      };
      const onEnd = (): void => {
        try {
          done(null, parseBody(Buffer.concat(chunks), headers.authorization !== undefined));
        } catch (error) {
          done(error instanceof Error ? error : null);
        }
      };
      payload.on('data', onData).on('end', onEnd);
    });
  };
}

function tooLong(maxBytes: number): Refusal {
  const message = `The request body has more than ${maxBytes} bytes, which is the limit.`;
  return new Refusal('BAD_REQUEST', message, { status: 413, bound: 'body_bytes' });
}

function overloaded(): Refusal {
  const message = 'The gateway has no room in memory for the body of the request.';
  const options = { status: 503, retryAfterSeconds: 1, bound: 'body_memory' } as const;
  return new Refusal('OVERLOADED', message, options);
}

/**
 * @param hasToken false for a request whose numbers nobody uses: they need not be exact, which would cost strangers' requests
 *   three times as much
 * @throws Refusal
 */
function parseBody(body: Buffer, hasToken: boolean): unknown {
  try {
    const text = utf8.decode(body);
    const parts = text.length > MAX_SEPARATORS ? text.split(/[,[{]/, MAX_SEPARATORS + 2) : [];
    if (parts.length <= MAX_SEPARATORS + 1)
      return hasToken ? parseExactJson(text) : JSON.parse(text);
  } catch {
    throw new Refusal('BAD_REQUEST', 'The request body is not JSON in UTF-8.');
  }
  const message = `The request body has more than ${MAX_SEPARATORS} commas and opening brackets, which is the limit.`;
  throw new Refusal('BAD_USER_INPUT', message, { bound: 'body_separators' });
}
