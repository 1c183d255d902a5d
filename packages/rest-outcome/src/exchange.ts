import type { IncomingHttpHeaders } from 'node:http';
import type { Dispatcher } from 'undici';
import { readAnswer, type Reading } from './answer.js';
import type { JsonObject } from './call.js';
import { isAccepted, noEvidence, toPartEvidence, type Evidence } from './evidence.js';
import type { Attempt, Entry } from './ledger.js';
import { RestError, toNoRoom, toTooLong } from './rest-error.js';

export interface ExchangeLimits extends Reading {
  /** Deadline of the whole call, including its queueing and retries. Used only in the error of a timeout. */
  readonly deadlineMs: number;
  /** Maximum size of the body. */
  readonly maxBytes: number;
}

// These abort an exchange, and undici passes them to `onResponseError`.
const tooLong = new Error('the body is too long');
const noRoom = new Error('no room for the answer');
const late = new Error('the deadline has passed');

/**
 * One request and its answer, with a record of how far the request got. undici calls `onRequestStart` right before it
 * writes the first byte: a request that fails earlier was `NOT_SENT`; a request that fails later may have arrived.
 * undici never retries a request that it has started. The line of the call is settled before `result` is.
 */
export class Exchange implements Dispatcher.DispatchHandler {
  readonly result: Promise<JsonObject>;
  readonly #deadline: NodeJS.Timeout;
  /** The body in one growing buffer: a list of one-byte chunks would take a hundred times the size of the body. */
  #bytes: Buffer = Buffer.alloc(0);
  #length = 0;
  #resolve!: (result: JsonObject) => void;
  #reject!: (error: unknown) => void;
  #controller: Dispatcher.DispatchController | undefined;
  #settled = false;
  /** Number of bytes that the body has taken of `answerBytes`. */
  #takenBytes = 0;
  #headers: IncomingHttpHeaders = {};

  /** @param leftMs timeout from now to the last byte of the body */
  constructor(
    private readonly call: Entry,
    private readonly attempt: Attempt,
    leftMs: number,
    private readonly limits: ExchangeLimits,
  ) {
    this.result = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
    this.#deadline = setTimeout(() => this.#expire(), leftMs);
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    // The deadline passed while the call waited for a connection: the request must not be sent any more.
    if (this.#settled) controller.abort(late);
  }

  onResponseStart(_: unknown, status: number, headers: IncomingHttpHeaders): void {
    // A 1xx is informational; the final answer follows.
    if (status < 200) return;
    this.attempt.status = status;
    this.#headers = headers;
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    const { maxBytes } = this.limits;
    const declared = Number(this.#headers['content-length']);
    // Not before the first bytes are here, even if the declared length is too long: they may show the id.
    if (!this.#append(chunk) || declared > maxBytes) return controller.abort(tooLong);
    if (this.call.answerBytes?.take(chunk.length) === false) return controller.abort(noRoom);
    this.#takenBytes += chunk.length;
  }

  /** Appends a chunk. Returns `false` if the body is longer than `maxBytes`, and then appends only what fits. */
  #append(chunk: Buffer): boolean {
    const { maxBytes } = this.limits;
    const length = this.#length + chunk.length;
    const keptLength = Math.min(length, maxBytes);
    // Most bodies come in one chunk, which is not copied.
    if (this.#length === 0) this.#bytes = chunk.subarray(0, maxBytes);
    else {
      if (keptLength > this.#bytes.length) this.#grow(keptLength);
      chunk.copy(this.#bytes, this.#length);
    }
    this.#length = keptLength;
    return length <= maxBytes;
  }

  #grow(length: number): void {
    // Pages that are never written take no physical memory.
    const declared = Number(this.#headers['content-length'] ?? 0);
    const wanted = Math.max(length, declared || 2 * this.#bytes.length);
    const bytes = Buffer.allocUnsafeSlow(Math.min(wanted, this.limits.maxBytes));
    this.#bytes.copy(bytes, 0, 0, this.#length);
    this.#bytes = bytes;
  }

  get #body(): Buffer {
    return this.#bytes.subarray(0, this.#length);
  }

  get #isEncoded(): boolean {
    return this.#headers['content-encoding'] !== undefined;
  }

  onResponseEnd(): void {
    this.#answer(this.#body);
  }

  onResponseError(_: unknown, error: Error): void {
    const call = this.call;
    const cause = error;
    if (!this.#controller) return this.#fail(new RestError('unreachable', call, { cause }));
    if (!this.attempt.status) return this.#fail(new RestError('connectionLost', call, { cause }));
    return this.#endInBody((status, evidence) => {
      if (error === noRoom) return toNoRoom(call, status, evidence);
      if (error === tooLong) return toTooLong(call, status, this.limits.maxBytes, evidence);
      return new RestError('cutAnswer', call, { status, evidence, cause });
    });
  }

  #expire(): void {
    const call = this.call;
    const { deadlineMs } = this.limits;
    if (!this.#controller) this.#fail(new RestError('timeoutBeforeSending', call, { deadlineMs }));
    else if (!this.attempt.status) this.#fail(new RestError('timeout', call, { deadlineMs }));
    else
      this.#endInBody(
        (status, evidence) =>
          new RestError('timeoutInBody', call, { status, evidence, deadlineMs }),
      );
    this.#controller?.abort(late);
  }

  /**
   * Ends an exchange whose body is incomplete. After a status that accepts the call, the call fails with the evidence in
   * the part. Any other status is read as with a complete body, because its row in `failures` needs no body.
   */
  #endInBody(toError: (status: number, evidence: Evidence) => RestError): void {
    const { status = 0 } = this.attempt;
    const part = this.#body;
    if (!isAccepted(this.call, status, this.limits)) return this.#answer(part);
    const isReadable = !this.#isEncoded && part.length > 0;
    return this.#fail(
      toError(status, isReadable ? toPartEvidence(this.call, status, part, true) : noEvidence),
    );
  }

  #answer(body: Buffer): void {
    if (!this.#settle()) return;
    const { status = 0 } = this.attempt;
    try {
      const answer = readAnswer(this.call, { status, headers: this.#headers, body }, this.limits);
      this.call.succeed(answer);
      this.#resolve(answer);
    } catch (error) {
      this.#end(error);
    }
  }

  #fail(error: Error): void {
    if (this.#settle()) this.#end(error);
  }

  #end(error: unknown): void {
    this.call.answerBytes?.give(this.#takenBytes);
    this.call.fail(error);
    this.#reject(error);
  }

  #settle(): boolean {
    if (this.#settled) return false;
    this.#settled = true;
    clearTimeout(this.#deadline);
    return true;
  }
}
