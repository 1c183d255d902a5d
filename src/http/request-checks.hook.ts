import type { FastifyInstance } from 'fastify';
import { RequestError } from './request-error.js';

/**
 * Refuses requests that a proxy could interpret differently from the gateway, before the body is read: 400 without a
 * `Host` header, or with an unsupported HTTP version or transfer coding; 415 with a compressed body.
 */
export function addRequestChecks(app: FastifyInstance): void {
  app.addHook('onRequest', ({ raw: { httpVersion, headers } }, reply, done) => {
    const codings = headers['transfer-encoding'];
    const encoding = headers['content-encoding'];
    // HTTP/1.0 needs no `Host` header. HTTP/0.9 has no headers at all.
    const isKnown = httpVersion === '1.1' ? headers.host !== undefined : httpVersion === '1.0';
    // Node accepts any list of codings that ends in "chunked", and decodes only "chunked".
    if (!isKnown || (codings !== undefined && codings.toLowerCase() !== 'chunked')) {
      void reply.header('connection', 'close');
      return done(
        new RequestError(
          400,
          'The request is not well-formed: no Host header, or an unsupported HTTP version or transfer coding.',
        ),
      );
    }
    if (encoding !== undefined && encoding.toLowerCase() !== 'identity')
      return done(new RequestError(415, 'The request body must not be compressed.'));
    return done();
  });
}

/** Decodes UTF-8; throws `TypeError` on bytes that are not UTF-8. */
const utf8 = new TextDecoder('utf-8', { fatal: true });

/** Parses JSON bodies in UTF-8. Answers 415 to any other media type, and 400 to a body that is not JSON in UTF-8. */
export function addBodyParser(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (_, body: Buffer, done) => {
    let text: string;
    try {
      text = utf8.decode(body);
    } catch {
      return done(new RequestError(400, 'The request body is not UTF-8.'));
    }
    try {
      return done(null, JSON.parse(text));
    } catch {
      return done(new RequestError(400, 'The request body is invalid JSON.'));
    }
  });
}
