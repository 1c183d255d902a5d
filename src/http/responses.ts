import type { FastifyReply } from 'fastify';
import { ByteSum } from './byte-budget.js';

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
 * Sends the responses of operations, and limits what is in memory because readers are slow. If all responses that are not
 * yet written are too long together, closes the connection of the oldest one.
 */
export class Responses {
  readonly #sum: ByteSum;
  readonly #maxReadMs: number;
  /** In the order in which the responses were sent. */
  readonly #readers = new Set<Reader>();

  constructor({ maxUnwrittenBytes = MAX_BYTES, maxReadMs = MAX_READ_MS }: ResponseLimits = {}) {
    this.#sum = new ByteSum(maxUnwrittenBytes);
    this.#maxReadMs = maxReadMs;
  }

  send(text: string, reply: FastifyReply): void {
    const body = text.length > LONG_LENGTH ? Buffer.from(text) : text;
    if (text.length > FREE_LENGTH && !reply.raw.destroyed)
      this.#count(Buffer.byteLength(body), reply);
    void reply.send(body);
  }

  #count(bytes: number, reply: FastifyReply): void {
    while (!this.#sum.take(bytes)) {
      const [oldest] = this.#readers;
      // A response that is too long alone is sent all the same: it may tell what became of a write.
      if (!oldest) return;
      this.#close(oldest);
    }
    const timer = setTimeout(() => this.#close(reader), this.#maxReadMs);
    const reader: Reader = { reply, bytes, timer };
    this.#readers.add(reader);
    reply.raw.once('close', () => this.#forget(reader));
  }

  #close(reader: Reader): void {
    const { request, raw } = reader.reply;
    request.log.warn(
      { requestId: request.id, bytes: reader.bytes },
      'a client that read its response too slowly was disconnected',
    );
    this.#forget(reader);
    raw.destroy();
  }

  #forget(reader: Reader): void {
    if (!this.#readers.delete(reader)) return;
    clearTimeout(reader.timer);
    this.#sum.give(reader.bytes);
  }
}
