import type { IncomingHttpHeaders } from 'node:http';
import type { Dispatcher } from 'undici';
import { isAccepted, readAnswer, toPartEvidence, type RawAnswer, type Reading } from './answer.js';
import type { Attempt, JsonObject } from './call.js';
import type { FailureName } from './failures.js';
import type { Entry } from './ledger.js';
import { RestError, type Facts } from './rest-error.js';

// These abort an exchange, and undici passes them to `onResponseError`.
const tooLong = new Error('the body is too long');
const noRoom = new Error('no room for the answer');
const late = new Error('the deadline has passed');

/**
 * One request and its answer, with a record of how far the request got. undici calls `onRequestStart` right before it
 * writes the first byte: a request that fails earlier was `NOT_SENT`; a request that fails later may have arrived.
 * undici never retries a request that it has started. The entry is settled before `result` is.
 */
export class Exchange implements Dispatcher.DispatchHandler {
  readonly #ending = Promise.withResolvers<JsonObject>();
  readonly result = this.#ending.promise;
  readonly #deadline: NodeJS.Timeout;
  /** The body in one growing buffer: a list of one-byte chunks would take a hundred times the size of the body. */
  #bytes: Buffer = Buffer.alloc(0);
  #length = 0;
  /** Set by `onRequestStart`. Without it, nothing was sent. */
  #controller: Dispatcher.DispatchController | undefined;
  #settled = false;
  /** Number of bytes that the body has taken of `answerBytes`. */
  #takenBytes = 0;
  #headers: IncomingHttpHeaders = {};

  /**
   * @param leftMs timeout from now to the last byte of the body
   * @param reading how the body is read, its maximum size, and the deadline of the whole call for the error of a timeout
   */
  constructor(
    private readonly entry: Entry,
    private readonly attempt: Attempt,
    leftMs: number,
    private readonly reading: Reading & Readonly<Record<'deadlineMs' | 'maxBytes', number>>,
  ) {
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
    this.#append(chunk);
    if (this.#length > this.reading.maxBytes) return controller.abort(tooLong);
    if (this.entry.answerBytes?.take(chunk.length) === false) return controller.abort(noRoom);
    this.#takenBytes += chunk.length;
  }

  #append(chunk: Buffer): void {
    const start = this.#length;
    this.#length += chunk.length;
    // Most bodies come in one chunk, which is not copied.
    if (start === 0) return void (this.#bytes = chunk);
    if (this.#length > this.#bytes.length) {
      // Pages that are never written take no physical memory.
      const bytes = Buffer.allocUnsafeSlow(2 * this.#length);
      this.#bytes.copy(bytes);
      this.#bytes = bytes;
    }
    chunk.copy(this.#bytes, start);
  }

  get #answer(): RawAnswer {
    const { status = 0 } = this.attempt;
    const length = Math.min(this.#length, this.reading.maxBytes);
    return { status, headers: this.#headers, body: this.#bytes.subarray(0, length) };
  }

  onResponseEnd(): void {
    this.#settle(() => readAnswer(this.entry, this.#answer, this.reading));
  }

  onResponseError(_: unknown, cause: Error): void {
    if (!this.#controller) this.#fail('unreachable', { cause });
    else if (!this.attempt.status) this.#fail('connectionLost', { cause });
    else if (cause === noRoom) this.#endIncomplete('noRoom');
    else if (cause !== tooLong) this.#endIncomplete('cutAnswer', { cause });
    else this.#endIncomplete('tooLong', { body: `more than ${this.reading.maxBytes} bytes` });
  }

  #expire(): void {
    const { deadlineMs } = this.reading;
    if (!this.#controller) this.#fail('timeoutBeforeSending', { deadlineMs });
    else if (!this.attempt.status) this.#fail('timeout', { deadlineMs });
    else this.#endIncomplete('timeoutInBody', { deadlineMs });
    this.#controller?.abort(late);
  }

  /** Ends an exchange whose body is incomplete: a call that the status accepts fails, with the evidence in the part. */
  #endIncomplete(failure: FailureName, facts: Facts = {}): void {
    const answer = this.#answer;
    // Any other status is read as with a complete body, because its row in `failures` needs no body.
    if (!isAccepted(this.entry, answer.status, this.reading)) return this.onResponseEnd();
    const evidence = toPartEvidence(this.entry, answer, true);
    this.#fail(failure, { ...facts, status: answer.status, evidence });
  }

  #fail(failure: FailureName, facts: Facts): void {
    this.#settle(() => {
      throw new RestError(failure, this.entry, facts);
    });
  }

  #settle(toResult: () => JsonObject): void {
    if (this.#settled) return;
    this.#settled = true;
    clearTimeout(this.#deadline);
    try {
      const result = toResult();
      this.entry.succeed(result);
      this.#ending.resolve(result);
    } catch (error) {
      this.entry.answerBytes?.release(this.#takenBytes);
      this.entry.fail(error);
      this.#ending.reject(error);
    }
  }
}
