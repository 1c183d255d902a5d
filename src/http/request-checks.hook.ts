import type { FastifyInstance } from 'fastify';
import { Refusal } from '../errors/refusal.js';
import { assertJsonValues, JsonExcessError } from '../json/json-size.js';

/**
 * Answers 400, and closes the connection, if a proxy could interpret the request differently from the gateway: with two
 * `Host` headers, or with an unsupported HTTP version or transfer coding. Node itself refuses a request without `Host`.
 * Also closes the connection after the answer to HTTP/1.0, whose clients may not know `keep-alive`, and to `Upgrade`,
 * because Node's parser loses bytes that follow such a request.
 */
export function addRequestChecks(app: FastifyInstance): void {
  app.addHook('onRequest', ({ raw }, reply, done) => {
    const { httpVersion, headers } = raw;
    const isCurrent = httpVersion === '1.1';
    const codings = headers['transfer-encoding'];
    // HTTP/0.9 has no headers at all. Node refuses every other version.
    const isKnown = isCurrent || httpVersion === '1.0';
    // Node accepts any list of codings that ends in "chunked", and decodes only "chunked". HTTP/1.0 knows no coding
    // (RFC 9112 §6.1).
    const isDecoded = codings === undefined || (isCurrent && codings.toLowerCase() === 'chunked');
    // Node joins two lines by a comma, as a proxy may.
    const isProper = isKnown && isDecoded && !headers.host?.includes(',');
    if (isProper && isCurrent && headers.upgrade === undefined) return done();
    void reply.header('connection', 'close');
    if (isProper) return done();
    return done(
      new Refusal(
        'BAD_REQUEST',
        'The request is not well-formed: two Host headers, or an unsupported HTTP version or transfer coding.',
        { status: 400 },
      ),
    );
  });
}

/** Answers 415 to a request with a compressed body, before the body is read. */
export function addEncodingCheck(app: FastifyInstance): void {
  app.addHook('onRequest', ({ headers }, _, done) => {
    const encoding = headers['content-encoding'];
    if (encoding !== undefined && encoding.toLowerCase() !== 'identity')
      return done(
        new Refusal('BAD_REQUEST', 'The request body must not be compressed.', { status: 415 }),
      );
    return done();
  });
}

/** Decodes UTF-8; throws `TypeError` on bytes that are not UTF-8. */
const utf8 = new TextDecoder('utf-8', { fatal: true });

/**
 * Maximum number of JSON values in a body: the cost of a body grows with its values more than with its bytes. A constant,
 * because the cost of a value is known: at this bound the gateway takes less than 30 ms of CPU time. A list of 10,000 UUIDs
 * has 390 KB.
 */
const MAX_BODY_VALUES = 10_000;
/** Maximum length of a body that cannot have too many values: each value but the first takes two characters. */
const FEW_VALUES_LENGTH = 2 * MAX_BODY_VALUES;

/**
 * Parses JSON bodies in UTF-8. Answers 415 to any other media type, and 400 to a body that is not JSON in UTF-8, or has too
 * many values. Counts the values before it parses the body, because `JSON.parse` can take 100 ms for 1 MiB of small objects.
 * The URL of a GET is too short for so many values.
 */
export function addBodyParser(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (_, body: Buffer, done) => {
    let text: string;
    try {
      text = utf8.decode(body);
    } catch {
      return done(new Refusal('BAD_REQUEST', 'The request body is not UTF-8.', { status: 400 }));
    }
    try {
      if (text.length > FEW_VALUES_LENGTH) assertJsonValues(text, MAX_BODY_VALUES);
      return done(null, JSON.parse(text));
    } catch (error) {
      if (!(error instanceof JsonExcessError))
        return done(
          new Refusal('BAD_REQUEST', 'The request body is invalid JSON.', { status: 400 }),
        );
      const message = `The request body has ${error.message}, which is the limit: strings, numbers, lists, objects and the like, at every level.`;
      return done(new Refusal('BAD_USER_INPUT', message, { status: 400, bound: 'body_values' }));
    }
  });
}
