import type { FastifyInstance } from 'fastify';
import { RequestError } from './request-error.js';

/** Throws `TypeError` on bytes that are not UTF-8. */
const utf8 = new TextDecoder('utf-8', { fatal: true });

/** JSON in UTF-8 is the only body there is: 415 for any other kind, 400 for a broken one. */
export function addBodyParser(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (_, body: Buffer, done) => {
    try {
      done(null, JSON.parse(utf8.decode(body)));
    } catch {
      done(new RequestError(400, 'The request body is not JSON in UTF-8.'));
    }
  });
}
