import type { IncomingHttpHeaders } from 'node:http';
import type { Dispatcher } from 'undici';
import type { JsonCall, Room } from './call.js';
import { noEvidence, toPartEvidence, type Evidence } from './evidence.js';
import { RestError, toUnusable } from './rest-error.js';

/** Status, headers and body of an answer. */
export interface RawAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** Body as received, with its content encoding. May be incomplete if the status is not a 2xx. */
  readonly body: Buffer;
}

/** Converts an answer to the result. A callback, because a `then` would cost another promise in every call. */
type ReadAnswer<Result> = (call: JsonCall, answer: RawAnswer) => Result;

/** @param status of the answer; `undefined` if no headers arrived */
type OnEnd = (status: number | undefined) => void;

export interface ExchangeLimits {
  /** Timeout from now to the last byte of the body. */
  readonly leftMs: number;
  /** Deadline of the whole call, including its queueing and retries. Used only in the error of a timeout. */
  readonly deadlineMs: number;
  /** Maximum size of the body, before and after its content encoding is removed. */
  readonly maxBytes: number;
}

/** Maximum size of an uncompressed answer that takes no room. */
const FREE_BYTES = 32_768;

// These abort an exchange, and undici passes them to `onResponseError`.
const tooLong = new Error('the body is too long');
const noRoom = new Error('no room for the answer');
const late = new Error('the deadline has passed');

/**
 * Collects the body of an answer in one growing buffer. A list of one-byte chunks would take a hundred times the size
 * of the body.
 */
class BodyBuffer {
  #bytes: Buffer = Buffer.alloc(0);
  #length = 0;
  #expectedBytes = 0;

  constructor(private readonly maxBytes: number) {}

  get length(): number {
    return this.#length;
  }

  /** Sets the minimum size of the buffer after it grows. Pages that are never written take no physical memory. */
  expect(bytes: number): void {
    this.#expectedBytes = bytes;
  }

  /** Appends a chunk. Returns `false` if the body is longer than `maxBytes`, and then appends only what fits. */
  add(chunk: Buffer): boolean {
    const length = this.#length + chunk.length;
    if (length > this.maxBytes) {
      this.add(chunk.subarray(0, this.maxBytes - this.#length));
      return false;
    }
    // Most bodies come in one chunk, which is not copied.
    if (this.#length === 0) this.#bytes = chunk;
    else {
      if (length > this.#bytes.length) this.#grow(length);
      chunk.copy(this.#bytes, this.#length);
    }
    this.#length = length;
    return true;
  }

  toBuffer(): Buffer {
    return this.#bytes.subarray(0, this.#length);
  }

  #grow(length: number): void {
    const wanted = Math.max(length, 2 * this.#bytes.length, this.#expectedBytes);
    const bytes = Buffer.allocUnsafeSlow(Math.min(wanted, this.maxBytes));
    this.#bytes.copy(bytes, 0, 0, this.#length);
    this.#bytes = bytes;
  }
}

/**
 * One request and its answer, with a record of how far the request got. undici calls `onRequestStart` right before it
 * writes the first byte: a request that fails earlier was `NOT_SENT`; a request that fails later may have arrived.
 * undici never retries a request that it has started.
 */
export class Exchange<Result> implements Dispatcher.DispatchHandler {
  readonly result: Promise<Result>;
  readonly #deadline: NodeJS.Timeout;
  readonly #body: BodyBuffer;
  #resolve!: (result: Result) => void;
  #reject!: (error: unknown) => void;
  #controller: Dispatcher.DispatchController | undefined;
  #settled = false;
  /** Resumes or aborts an answer that waits for room; `undefined` for an answer that needs no room. */
  #onDecision: ((isGranted: boolean) => void) | undefined;
  /** Bytes of the body that the room of the operation has counted. */
  #usedBytes = 0;
  /** True if the answer had to wait for room in the memory budget. */
  #hasWaited = false;
  /** Status of the answer; 0 until its headers have arrived. */
  #status = 0;
  #headers: IncomingHttpHeaders = {};

  /** @param onEnd called once, before `result` settles; must not throw */
  constructor(
    private readonly call: JsonCall,
    private readonly limits: ExchangeLimits,
    private readonly read: ReadAnswer<Result>,
    private readonly onEnd?: OnEnd,
  ) {
    this.#body = new BodyBuffer(limits.maxBytes);
    this.result = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
    this.#deadline = setTimeout(() => this.#expire(), limits.leftMs);
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    // The deadline passed while the call waited for a connection: the request must not be sent any more.
    if (this.#settled) controller.abort(late);
  }

  onResponseStart(
    _: Dispatcher.DispatchController,
    status: number,
    headers: IncomingHttpHeaders,
  ): void {
    // A 1xx is informational; the final answer follows.
    if (status < 200) return;
    this.#status = status;
    this.#headers = headers;
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    const { maxBytes } = this.limits;
    const declared = Number(this.#headers['content-length']);
    // Not before the first bytes are here, even if the declared length is too long: they may show the id.
    if (!this.#body.add(chunk) || declared > maxBytes) return controller.abort(tooLong);
    const isLong = declared > FREE_BYTES || this.#body.length > FREE_BYTES || this.#isEncoded;
    if (!isLong || !this.call.room) return;
    if (this.#onDecision) this.#useRoom(controller, this.call.room);
    else this.#reserveRoom(controller, this.call.room);
  }

  get #isEncoded(): boolean {
    return this.#headers['content-encoding'] !== undefined;
  }

  /** Pauses the answer until its operation has a reservation. */
  #reserveRoom(controller: Dispatcher.DispatchController, room: Room): void {
    const { maxBytes } = this.limits;
    const { 'content-length': declared } = this.#headers;
    // A compressed body, or a body of unknown length, may grow to `maxBytes`.
    const bytes = this.#isEncoded || declared === undefined ? maxBytes : Number(declared);
    this.#body.expect(bytes);
    this.#onDecision = (isGranted) => {
      if (!isGranted) controller.abort(noRoom);
      else if (!this.#settled && this.#useRoom(controller, room)) controller.resume();
    };
    if (room.reserve(bytes, maxBytes, this.#onDecision))
      return void this.#useRoom(controller, room);
    this.#hasWaited = true;
    controller.pause();
  }

  /** Uses room for what was read. Aborts the exchange and returns false if there is no room. */
  #useRoom(controller: Dispatcher.DispatchController, room: Room): boolean {
    if (!room.use(this.#body.length - this.#usedBytes)) {
      controller.abort(noRoom);
      return false;
    }
    this.#usedBytes = this.#body.length;
    return true;
  }

  onResponseEnd(): void {
    this.#succeed(this.#body.toBuffer());
  }

  onResponseError(_: Dispatcher.DispatchController | undefined, error: Error): void {
    const call = this.call;
    const cause = error;
    if (!this.#controller) return this.#fail(new RestError('unreachable', call, { cause }));
    if (!this.#status) return this.#fail(new RestError('connectionLost', call, { cause }));
    return this.#endInBody((status, evidence) => {
      if (error === noRoom) return new RestError('noRoom', call, { status, evidence });
      if (error === tooLong) return toUnusable(call, status, 'a body that is too long', evidence);
      return new RestError('cutAnswer', call, { status, evidence, cause });
    });
  }

  #expire(): void {
    const call = this.call;
    const { deadlineMs } = this.limits;
    if (!this.#controller) this.#fail(new RestError('timeoutBeforeSending', call, { deadlineMs }));
    else if (!this.#status) this.#fail(new RestError('timeout', call, { deadlineMs }));
    else
      this.#endInBody((status, evidence) =>
        this.#hasWaited
          ? new RestError('noRoom', call, { status, evidence })
          : new RestError('timeoutInBody', call, { status, evidence, deadlineMs }),
      );
    this.#controller?.abort(late);
  }

  /**
   * Ends an exchange whose body is incomplete. A 2xx fails, with what its begin proves; any other status succeeds, because
   * its row in `failures` needs no body.
   */
  #endInBody(toError: (status: number, evidence: Evidence) => RestError): void {
    const status = this.#status;
    const begin = this.#body.toBuffer();
    if (status < 200 || status >= 300) return this.#succeed(begin);
    const isReadable = !this.#isEncoded && begin.length > 0;
    return this.#fail(
      toError(status, isReadable ? toPartEvidence(this.call, status, begin, true) : noEvidence),
    );
  }

  #succeed(body: Buffer): void {
    if (!this.#settle()) return;
    const answer = { status: this.#status, headers: this.#headers, body };
    try {
      this.#resolve(this.read(this.call, answer));
    } catch (error) {
      this.#giveRoomBack();
      this.#reject(error);
    }
  }

  #fail(error: Error): void {
    if (!this.#settle()) return;
    this.#giveRoomBack();
    this.#reject(error);
  }

  #giveRoomBack(): void {
    if (!this.#onDecision) return;
    this.call.room?.leave(this.#onDecision);
    this.call.room?.use(-this.#usedBytes);
  }

  #settle(): boolean {
    if (this.#settled) return false;
    this.#settled = true;
    clearTimeout(this.#deadline);
    this.onEnd?.(this.#status || undefined);
    return true;
  }
}
