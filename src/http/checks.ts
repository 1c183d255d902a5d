import type { FastifyInstance } from 'fastify';
import { Refusal } from '../errors/refusal.js';

const AMBIGUOUS =
  'The request is not well-formed: two Host headers, or an unsupported HTTP version or transfer coding.';

/**
 * Answers 400, and closes the connection, if a proxy could interpret the request differently from the gateway: with two
 * `Host` headers, or with an unsupported HTTP version or transfer coding. Node itself refuses a request without `Host`.
 * Also closes the connection after the answer to HTTP/1.0, whose clients may not know `keep-alive`, and to `Upgrade`,
 * because Node's parser loses bytes that follow such a request. Answers 415 to a compressed body.
 */
export function addRequestChecks(app: FastifyInstance): void {
  app.addHook('onRequest', ({ raw }, reply, done) => {
    const { httpVersion, headers } = raw;
    const isCurrent = httpVersion === '1.1';
    const codings = headers['transfer-encoding']?.toLowerCase();
    // Node accepts any list of codings that ends in "chunked", and decodes only "chunked". HTTP/1.0 knows no coding
    // (RFC 9112 §6.1), and HTTP/0.9 no headers. Node refuses every other version.
    const isDecoded = codings === undefined || (isCurrent && codings === 'chunked');
    // Node joins two lines by a comma, as a proxy may.
    const isProper = isDecoded && httpVersion !== '0.9' && !headers.host?.includes(',');
    if (!isProper || !isCurrent || headers.upgrade !== undefined)
      void reply.header('connection', 'close');
    if (!isProper) return done(new Refusal('BAD_REQUEST', AMBIGUOUS, { status: 400 }));
    if (/^(?:identity)?$/i.test(headers['content-encoding'] ?? '')) return done();
    return done(
      new Refusal('BAD_REQUEST', 'The request body must not be compressed.', { status: 415 }),
    );
  });
}
