import { isIPv6 } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { Refusal } from '../errors/refusal.js';
import { assertJsonValues, JsonExcessError } from '../json/json-size.js';

/**
 * Answers 400, and closes the connection, if a proxy could interpret the request differently from the gateway: without
 * exactly one valid `Host` header, or with an unsupported HTTP version or transfer coding. Also closes the connection after
 * the answer to HTTP/1.0, whose clients may not know `keep-alive`, and to `Upgrade`, because Node's parser loses bytes that
 * follow such a request.
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
    const isProper = isKnown && isDecoded && hasProperHost(httpVersion, headers.host);
    if (isProper && isCurrent && headers.upgrade === undefined) return done();
    void reply.header('connection', 'close');
    if (isProper) return done();
    return done(
      new Refusal(
        'BAD_REQUEST',
        'The request is not well-formed: not exactly one valid Host header, or an unsupported HTTP version or transfer coding.',
        { status: 400 },
      ),
    );
  });
}

/**
 * Matches a value of `Host` with a host and an optional port (RFC 9110 §7.2, RFC 3986 §3.2.2). An empty host is no
 * origin of HTTP (RFC 9110 §4.2.1). A comma, which RFC 3986 allows in names, comes from two lines that were joined.
 */
const HOST = /^(?:\[([\da-f:.]+)\]|(?:[\w.~!$&'()*+;=-]|%[\da-f]{2})+)(?::\d*)?$/i;

/**
 * Returns whether a request may be served by the rules for `Host` of RFC 9112 §3.2: exactly one line with a valid
 * value. HTTP/1.0 needs no `Host`. The rules hold for a request target with a host of its own, too.
 */
function hasProperHost(httpVersion: string, value: string | undefined): boolean {
  if (value === undefined) return httpVersion === '1.0';
  const [host, ipv6] = HOST.exec(value) ?? [];
  return host !== undefined && (ipv6 === undefined || isIPv6(ipv6));
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
