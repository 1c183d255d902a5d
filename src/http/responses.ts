import type { FastifyReply } from 'fastify';
import type { AppPart } from './app.js';
import { ByteBudget } from './byte-budget.js';

/** Length in characters up to which a response does not count. */
const FREE_LENGTH = 4_096;
/** Length in characters from which a response is sent as bytes: Node would keep several copies of a long text. */
const LONG_LENGTH = 262_144;
/** Maximum size of all responses that are not yet written, in bytes. */
const MAX_BYTES = 67_108_864;
/** Time in ms in which a reader must take its response. */
const MAX_READ_MS = 60_000;

/** Options whose default is a constant. */
export interface ResponseLimits {
  /** Maximum size of all responses that are not yet written. Default: 64 MiB. */
  readonly maxUnwrittenBytes?: number | undefined;
  /** Time in which a reader must take its response. Default: 60 s. */
  readonly maxReadMs?: number | undefined;
}

interface Reader {
  readonly reply: FastifyReply;
  readonly bytes: number;
  readonly timer: NodeJS.Timeout;
}

/**
 * Limits what is in memory because clients read slowly. If all responses that are not yet written are too long together,
 * closes the connection of the oldest one.
 */
export function limitResponses({
  maxUnwrittenBytes = MAX_BYTES,
  maxReadMs = MAX_READ_MS,
}: ResponseLimits): AppPart {
  const budget = new ByteBudget(maxUnwrittenBytes);
  /** In the order in which the responses were sent. */
  const readers = new Set<Reader>();

  function count(bytes: number, reply: FastifyReply): void {
    while (!budget.take(bytes)) {
      const [oldest] = readers;
      // A response that is too long alone is sent all the same: it may tell what became of a write.
      if (!oldest) return;
      close(oldest);
    }
    const timer = setTimeout(() => close(reader), maxReadMs);
    const reader: Reader = { reply, bytes, timer };
    readers.add(reader);
    reply.raw.once('close', () => forget(reader));
  }

  function close(reader: Reader): void {
    const { request, raw } = reader.reply;
    request.log.warn(
      { requestId: request.id, bytes: reader.bytes },
      'a client that read its response too slowly was disconnected',
    );
    forget(reader);
    raw.destroy();
  }

  function forget(reader: Reader): void {
    if (!readers.delete(reader)) return;
    clearTimeout(reader.timer);
    budget.give(reader.bytes);
  }

  return (app) =>
    void app.addHook('onSend', (_, reply, payload, done) => {
      if (typeof payload !== 'string' || payload.length <= FREE_LENGTH || reply.raw.destroyed)
        return done(null, payload);
      const body = payload.length > LONG_LENGTH ? Buffer.from(payload) : payload;
      count(Buffer.byteLength(body), reply);
      return done(null, body);
    });
}
