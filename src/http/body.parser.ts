import type { FastifyInstance } from 'fastify';

/** Throws `TypeError` on bytes that are not UTF-8. */
const utf8 = new TextDecoder('utf-8', { fatal: true });

/** A request that is refused for what it is, before it becomes an operation. */
class RequestError extends Error {
  override readonly name = 'RequestError';

  constructor(
    readonly statusCode: number,
    message: string,
  ) {
    super(message);
  }
}

/** JSON in UTF-8, not compressed, is the only body there is: 415 for any other kind, 400 for a broken one. */
export function addBodyParser(app: FastifyInstance): void {
  app.addHook('onRequest', ({ headers }, _, done) => {
    const encoding = headers['content-encoding'];
    if (encoding === undefined || encoding === 'identity') return done();
    return done(new RequestError(415, 'The request body is compressed.'));
  });
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (_, body: Buffer, done) => {
    try {
      done(null, JSON.parse(utf8.decode(body)));
    } catch {
      done(new RequestError(400, 'The request body is not JSON in UTF-8.'));
    }
  });
}
