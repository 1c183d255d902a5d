import { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';
import type { AnswerRoom } from '../graphql/answer-room.js';

/**
 * Length in bytes of the slices in which a long response is written. A reader must take each one within
 * `MAX_SLICE_MS`, which is 13 KB/s: a tenth of a slow mobile connection.
 */
const SLICE_BYTES = 131_072;
const MAX_SLICE_MS = 10_000;
/** Time in ms in which nobody disconnects a reader because another operation waits for memory. */
const MIN_READ_MS = 5_000;
/** Interval in ms at which readers are checked. */
const CHECK_MS = 1_000;

interface Reader {
  readonly reply: FastifyReply;
  readonly room: AnswerRoom;
  readonly startedAt: number;
  /** When the reader took the latest slice. */
  takenAt: number;
  takenBytes: number;
}

/**
 * Writes long responses at the pace of their readers, and disconnects slow ones: a reader that takes longer than
 * `MAX_SLICE_MS` for a slice, and the slowest ones while another operation waits for the memory that they hold.
 */
export class LongResponses {
  readonly #readers = new Set<Reader>();
  #check: NodeJS.Timeout | undefined;

  send(body: readonly Buffer[], room: AnswerRoom, reply: FastifyReply): void {
    const length = body.reduce((sum, { length }) => sum + length, 0);
    const now = performance.now();
    const reader: Reader = { reply, room, startedAt: now, takenAt: now, takenBytes: 0 };
    if (!reply.raw.destroyed) this.#watch(reader);
    void reply.header('content-length', length);
    if (length <= SLICE_BYTES) return void reply.send(Buffer.concat(body));
    const stream = Readable.from(toSlices(body, reader), { objectMode: false, highWaterMark: 1 });
    return void reply.send(stream);
  }

  #watch(reader: Reader): void {
    this.#readers.add(reader);
    this.#check ??= setInterval(() => this.#disconnectSlow(), CHECK_MS).unref();
    reader.reply.raw.once('close', () => {
      this.#readers.delete(reader);
      if (this.#readers.size > 0) return;
      clearInterval(this.#check);
      this.#check = undefined;
    });
  }

  #disconnectSlow(): void {
    const now = performance.now();
    const toSpeed = ({ takenBytes, startedAt }: Reader): number => takenBytes / (now - startedAt);
    const slowestFirst = [...this.#readers].toSorted((one, other) => toSpeed(one) - toSpeed(other));
    for (const reader of slowestFirst) {
      const { room, startedAt, takenAt } = reader;
      const isUnwanted = room.isAwaited && now - startedAt > MIN_READ_MS;
      if (isUnwanted || now - takenAt > MAX_SLICE_MS) this.#disconnect(reader);
    }
  }

  #disconnect({ reply, room, takenBytes }: Reader): void {
    const { request, raw } = reply;
    request.log.warn(
      { requestId: request.id, takenBytes, bytes: Number(reply.getHeader('content-length')) },
      'a client that read its response too slowly was disconnected',
    );
    raw.destroy();
    room.end();
  }
}

/** Returns the bytes of `body` in slices, which are made as the reader takes them. */
function* toSlices(body: readonly Buffer[], reader: Reader): Generator<Buffer> {
  for (const buffer of body)
    for (let start = 0; start < buffer.length; start += SLICE_BYTES) {
      const slice = buffer.subarray(start, start + SLICE_BYTES);
      yield slice;
      reader.takenAt = performance.now();
      reader.takenBytes += slice.length;
    }
}
