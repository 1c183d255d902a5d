import type { FastifyInstance } from 'fastify';
import { RequestError } from './request-error.js';

/**
 * Refuses a request that two readers could take for two different requests, before its body is read: 400 without a host or
 * with another version or transfer coding than the gateway's, 415 with a compressed body.
 */
export function addRequestChecks(app: FastifyInstance): void {
  app.addHook('onRequest', ({ raw: { httpVersion, headers } }, reply, done) => {
    const codings = headers['transfer-encoding'];
    const encoding = headers['content-encoding'];
    // HTTP/0.9 has no headers, and HTTP/1.0 needs no host.
    const isKnown = httpVersion === '1.1' ? headers.host !== undefined : httpVersion === '1.0';
    // Node accepts any list that ends in "chunked", and decodes that last coding alone.
    if (!isKnown || (codings !== undefined && codings.toLowerCase() !== 'chunked')) {
      void reply.header('connection', 'close');
      return done(new RequestError(400, 'The request is not well-formed.'));
    }
    if (encoding !== undefined && encoding.toLowerCase() !== 'identity')
      return done(new RequestError(415, 'The request body must not be compressed.'));
    return done();
  });
}

/** Throws `TypeError` on bytes that are not UTF-8. */
const utf8 = new TextDecoder('utf-8', { fatal: true });

/** Parses bodies of JSON in UTF-8: 415 for any other media type, 400 for broken JSON. */
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
