import type { FastifyInstance } from 'fastify';
import { RequestError } from './request-error.js';

/** Refuses what two readers could take for two different requests, before any of its body has been read. */
export function addRequestChecks(app: FastifyInstance): void {
  app.addHook('onRequest', ({ raw: { httpVersion, headers } }, reply, done) => {
    const codings = headers['transfer-encoding'];
    const encoding = headers['content-encoding'];
    // HTTP/0.9 has no headers, and HTTP/1.0 needs no host.
    const isKnown = httpVersion === '1.1' ? headers.host !== undefined : httpVersion === '1.0';
    // Node takes any list that ends in "chunked", and undoes that alone.
    if (!isKnown || (codings !== undefined && codings.toLowerCase() !== 'chunked')) {
      void reply.header('connection', 'close');
      return done(new RequestError(400, 'No host, or a version or transfer coding besides ours.'));
    }
    if (encoding !== undefined && encoding.toLowerCase() !== 'identity')
      return done(new RequestError(415, 'The request body is compressed.'));
    return done();
  });
}
