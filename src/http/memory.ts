import type { FastifyReply } from 'fastify';
import type { AppPart } from './app.js';

/** A sum of bytes in memory that has a maximum. Nobody waits for bytes: who gets none gives up, or makes others give. */
export class ByteBudget {
  #bytes = 0;

  /**
   * @param whole budget that the bytes of a part count in, too
   * @param freeBytes number of the first bytes of a part that do not count in the whole
   */
  constructor(
    private maxBytes: number,
    private readonly whole?: ByteBudget,
    private readonly freeBytes = 0,
  ) {}

  /** Returns the budget of one request, which counts in this one beyond its first `freeBytes`. */
  part(freeBytes: number): ByteBudget {
    return new ByteBudget(Infinity, this, freeBytes);
  }

  /** Returns false, and takes nothing, if a sum would exceed its maximum, or after `end`. */
  take(bytes: number): boolean {
    const isOver = this.#bytes + bytes > this.maxBytes;
    if (isOver || this.whole?.take(this.#count(bytes)) === false) return false;
    this.#bytes += bytes;
    return true;
  }

  /** Gives back bytes that were taken; after `end`, nothing. */
  give(bytes: number): void {
    const given = Math.min(bytes, this.#bytes);
    this.#bytes -= given;
    this.whole?.give(this.#count(given));
  }

  /** Gives all bytes back, and takes no more. */
  end(): void {
    this.give(this.#bytes);
    this.maxBytes = 0;
  }

  /** Returns how many of the next `bytes` count in the whole. */
  #count(bytes: number): number {
    const toCounted = (sum: number): number => Math.max(0, sum - this.freeBytes);
    return toCounted(this.#bytes + bytes) - toCounted(this.#bytes);
  }
}

/** Length in characters up to which a response does not count. */
const FREE_LENGTH = 4_096;
/** Length in characters from which a response is sent as bytes: Node would keep several copies of a long text. */
const LONG_LENGTH = 262_144;

/** Limits that no variable sets. */
export const memoryLimits = {
  /** Maximum size in bytes of all bodies: from their first bytes until their responses are written. */
  maxAllBodiesBytes: 67_108_864,
  /** Maximum size in bytes of all answers of the Study API that are read, or held until their response is made. */
  maxAllAnswersBytes: 33_554_432,
  /** Maximum size in bytes of all responses that are not yet written. */
  maxUnwrittenBytes: 67_108_864,
  /** Time in ms in which a reader must take its response. */
  maxReadMs: 60_000,
};

export type MemoryLimits = Readonly<typeof memoryLimits>;

/**
 * Limits what is in memory because clients read slowly. If all responses that are not yet written are too long together,
 * closes the connection of the oldest one.
 */
export function limitResponses({ maxUnwrittenBytes, maxReadMs }: MemoryLimits): AppPart {
  const budget = new ByteBudget(maxUnwrittenBytes);
  /** Functions that disconnect the readers, in the order in which their responses were sent. */
  const readers = new Set<() => void>();

  function count(bytes: number, { raw, request }: FastifyReply): void {
    while (!budget.take(bytes)) {
      const [disconnectOldest] = readers;
      // A response that is too long alone is sent all the same: it may tell what became of a write.
      if (!disconnectOldest) return;
      disconnectOldest();
    }
    const forget = (): void => {
      if (readers.delete(disconnect)) budget.give(bytes);
      clearTimeout(timer);
    };
    const disconnect = (): void => {
      const message = 'a client that read its response too slowly was disconnected';
      request.log.warn({ requestId: request.id, bytes }, message);
      forget();
      raw.destroy();
    };
    const timer = setTimeout(disconnect, maxReadMs);
    readers.add(disconnect);
    raw.once('close', forget);
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
