import type { FastifyReply } from 'fastify';
import type { AppPart } from './app.js';

/** A sum of bytes in memory that has a maximum. Nobody waits for bytes: who gets none gives up, or makes others release theirs. */
export class ByteBudget {
  #bytes = 0;

  constructor(private readonly maxBytes: number) {}

  /** Returns false, and takes nothing, if the sum would exceed its maximum. */
  take(bytes: number): boolean {
    if (this.#bytes + bytes > this.maxBytes) return false;
    this.#bytes += bytes;
    return true;
  }

  release(bytes: number): void {
    this.#bytes -= bytes;
  }

  /** Returns the part of one request, whose first `freeBytes` do not count. `end` gives all back, and the part takes no more. */
  part(freeBytes: number) {
    let held = 0;
    let hasEnded = false;
    const toCounted = (sum: number): number => Math.max(0, sum - freeBytes);
    const release = (bytes: number): void => {
      this.release(toCounted(held) - toCounted(held - bytes));
      held -= bytes;
    };
    return {
      take: (bytes: number): boolean => {
        const more = toCounted(held + bytes) - toCounted(held);
        if (hasEnded || !this.take(more)) return false;
        held += bytes;
        return true;
      },
      release,
      end: (): void => {
        release(held);
        hasEnded = true;
      },
    };
  }
}

/** Length in characters up to which a response does not count. */
const FREE_LENGTH = 4_096;

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
      if (readers.delete(disconnect)) budget.release(bytes);
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
      // Bytes, because Node would keep several copies of a long text.
      const body = Buffer.from(payload);
      count(body.length, reply);
      return done(null, body);
    });
}
