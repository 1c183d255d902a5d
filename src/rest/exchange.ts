import type { IncomingHttpHeaders } from 'node:http';
import type { Dispatcher } from 'undici';
import type { AnswerBudget, AnswerRoom } from './answer-budget.js';
import { BodyBuffer } from './body-buffer.js';
import { RestError, toNoRoom, toTooLong } from './errors.js';
import { noEvidence, toPartEvidence, type Evidence } from './evidence.js';
import type { JsonCall } from './rest-call.js';

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
  /** Budget for answers over `FREE_BYTES`. */
  readonly budget: AnswerBudget;
}

/** Maximum size of an uncompressed answer that is read without a claim to the budget. */
const FREE_BYTES = 32_768;

/** Aborts an exchange whose body is longer than `maxBytes`. undici passes this error to `onResponseError`. */
class AnswerTooLongError extends Error {
  override readonly name = 'AnswerTooLongError';
}

/** Aborts an exchange to which the budget refuses room. undici passes this error to `onResponseError`. */
class NoRoomError extends Error {
  override readonly name = 'NoRoomError';

  constructor() {
    super('no room for the answer');
  }
}

/**
 * One request and its answer, with a record of how far the request got. undici calls `onRequestStart` right before it
 * writes the first byte: a request that fails earlier was `NOT_SENT`; a request that fails later may have arrived.
 * undici never retries a request that it has started.
 */
export class Exchange<Result> implements Dispatcher.DispatchHandler {
  readonly result: Promise<Result>;
  readonly #call: JsonCall;
  readonly #limits: ExchangeLimits;
  readonly #read: ReadAnswer<Result>;
  readonly #onEnd: OnEnd | undefined;
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
  constructor(call: JsonCall, limits: ExchangeLimits, read: ReadAnswer<Result>, onEnd?: OnEnd) {
    this.#call = call;
    this.#limits = limits;
    this.#read = read;
    this.#onEnd = onEnd;
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
    if (this.#settled) controller.abort(new Error('the deadline has passed'));
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
    const { maxBytes } = this.#limits;
    const declared = Number(this.#headers['content-length']);
    // Not before the first bytes are here, even if the declared length is too long: they may show the id.
    if (!this.#body.add(chunk) || declared > maxBytes)
      return controller.abort(new AnswerTooLongError());
    const isLong = declared > FREE_BYTES || this.#body.length > FREE_BYTES || this.#isEncoded;
    if (!isLong || !this.#call.room) return;
    if (this.#onDecision) this.#useRoom(controller, this.#call.room);
    else this.#reserveRoom(controller, this.#call.room);
  }

  get #isEncoded(): boolean {
    return this.#headers['content-encoding'] !== undefined;
  }

  /** Pauses the answer until its operation has a reservation. */
  #reserveRoom(controller: Dispatcher.DispatchController, room: AnswerRoom): void {
    const { maxBytes, budget } = this.#limits;
    const { 'content-length': declared } = this.#headers;
    // A compressed body, or a body of unknown length, may grow to `maxBytes`.
    const bytes = this.#isEncoded || declared === undefined ? maxBytes : Number(declared);
    this.#body.expect(bytes);
    this.#onDecision = (isGranted) => {
      if (!isGranted) controller.abort(new NoRoomError());
      else if (!this.#settled && this.#useRoom(controller, room)) controller.resume();
    };
    // Other root fields may have long answers too.
    const reservedBytes = room.fields > 1 ? maxBytes : bytes;
    if (room.reserve(budget, reservedBytes, this.#onDecision))
      return void this.#useRoom(controller, room);
    this.#hasWaited = true;
    controller.pause();
  }

  /** Uses room for what was read. Aborts the exchange and returns false if there is no room. */
  #useRoom(controller: Dispatcher.DispatchController, room: AnswerRoom): boolean {
    if (!room.use(this.#body.length - this.#usedBytes)) {
      controller.abort(new NoRoomError());
      return false;
    }
    this.#usedBytes = this.#body.length;
    return true;
  }

  onResponseEnd(): void {
    this.#succeed(this.#body.toBuffer());
  }

  onResponseError(_: Dispatcher.DispatchController | undefined, error: Error): void {
    const call = this.#call;
    const { maxBytes, budget } = this.#limits;
    const cause = error;
    if (!this.#controller) return this.#fail(new RestError('unreachable', call, { cause }));
    if (!this.#status) return this.#fail(new RestError('connectionLost', call, { cause }));
    return this.#endInBody((status, evidence) => {
      if (error instanceof NoRoomError) return toNoRoom(call, status, evidence, budget);
      if (error instanceof AnswerTooLongError) return toTooLong(call, status, evidence, maxBytes);
      return new RestError('cutAnswer', call, { status, evidence, cause });
    });
  }

  #expire(): void {
    const call = this.#call;
    const { deadlineMs, budget } = this.#limits;
    if (!this.#controller) this.#fail(new RestError('timeoutBeforeSending', call, { deadlineMs }));
    else if (!this.#status) this.#fail(new RestError('timeout', call, { deadlineMs }));
    else
      this.#endInBody((status, evidence) =>
        this.#hasWaited
          ? toNoRoom(call, status, evidence, budget)
          : new RestError('timeoutInBody', call, { status, evidence, deadlineMs }),
      );
    this.#controller?.abort(new Error('the deadline has passed'));
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
      toError(status, isReadable ? toPartEvidence(this.#call, status, begin, true) : noEvidence),
    );
  }

  #succeed(body: Buffer): void {
    if (!this.#settle()) return;
    const answer = { status: this.#status, headers: this.#headers, body };
    try {
      this.#resolve(this.#read(this.#call, answer));
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
    this.#call.room?.leave(this.#onDecision);
    this.#call.room?.use(-this.#usedBytes);
  }

  #settle(): boolean {
    if (this.#settled) return false;
    this.#settled = true;
    clearTimeout(this.#deadline);
    this.#onEnd?.(this.#status || undefined);
    return true;
  }
}
