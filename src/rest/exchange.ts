import type { IncomingHttpHeaders } from 'node:http';
import type { Dispatcher } from 'undici';
import { AnswerClaim, AnswerRoom, type AnswerBudget } from './answer-budget.js';
import { BodyBuffer } from './body-buffer.js';
import {
  RestAnswerError,
  RestConnectionLostError,
  RestCutAnswerError,
  type RestError,
  RestNoRoomError,
  RestTimeoutError,
  RestUnreachableError,
} from './errors.js';
import type { RestCall } from './rest-call.js';

/** The status, headers and body that came back. */
export interface RawAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** As received, still encoded. Empty when the answer of a status other than 2xx was cut short. */
  readonly body: Buffer;
}

/** Reads an answer. A callback, since a `then` would cost one more promise in every call. */
type ReadAnswer<Result> = (call: RestCall, answer: RawAnswer) => Result | Promise<Result>;

export interface ExchangeLimits {
  /** Time until the last byte of the body. */
  readonly leftMs: number;
  /** Deadline of the whole call, of which `leftMs` is left; for the error. */
  readonly deadlineMs: number;
  /** Most bytes of body, before and after decoding. */
  readonly maxBytes: number;
  /** Gives an answer over `FREE_BYTES` its room, before the rest of its body is read. */
  readonly budget: AnswerBudget;
}

/** Longest answer, in bytes, that is read without room of the budget. */
const FREE_BYTES = 32_768;

/**
 * The outcome of a write with a 2xx: `APPLIED`, except with HTML or plain text, which a proxy, a login page or a
 * captive portal may have answered in the API's place.
 */
export function toSuccessOutcome(contentType: string | undefined): 'APPLIED' | 'UNKNOWN' {
  return /^\s*text\/(html|plain)\b/i.test(contentType ?? '') ? 'UNKNOWN' : 'APPLIED';
}

/** Reason of the gateway to abort an exchange, like `NoRoomError`. */
class AnswerTooLongError extends Error {
  override readonly name = 'AnswerTooLongError';
}

class NoRoomError extends Error {
  override readonly name = 'NoRoomError';
}

/**
 * One request and its answer, and how far the request came. undici calls `onRequestStart` right before it writes
 * the first byte: a request that fails earlier was `NOT_SENT`, one that fails later may have arrived. undici never
 * repeats a request that it has started.
 */
export class Exchange<Result> implements Dispatcher.DispatchHandler {
  readonly result: Promise<Result>;
  readonly #call: RestCall;
  readonly #limits: ExchangeLimits;
  readonly #read: ReadAnswer<Result>;
  readonly #deadline: NodeJS.Timeout;
  readonly #body: BodyBuffer;
  #resolve!: (result: Result | Promise<Result>) => void;
  #reject!: (error: unknown) => void;
  #controller: Dispatcher.DispatchController | undefined;
  #settled = false;
  /** Claim of an answer that needs room. */
  #claim: AnswerClaim | undefined;
  /** Whether the claim was not granted at once. */
  #hasWaited = false;
  /** 0 until the headers of the final answer have come. */
  #status = 0;
  #headers: IncomingHttpHeaders = {};

  constructor(call: RestCall, limits: ExchangeLimits, read: ReadAnswer<Result>) {
    this.#call = call;
    this.#limits = limits;
    this.#read = read;
    this.#body = new BodyBuffer(limits.maxBytes);
    this.result = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
    this.#deadline = setTimeout(() => this.#expire(), limits.leftMs);
  }

  /** Status of the answer, once its headers have come. */
  get status(): number | undefined {
    return this.#status || undefined;
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    // The deadline passed while the call waited for a connection: the request must not leave now.
    if (this.#settled) controller.abort(new Error('the deadline has passed'));
  }

  onResponseStart(
    controller: Dispatcher.DispatchController,
    status: number,
    headers: IncomingHttpHeaders,
  ): void {
    // A 1xx says nothing yet.
    if (status < 200) return;
    this.#status = status;
    this.#headers = headers;
    if (this.#isEncoded || Number(headers['content-length']) > FREE_BYTES)
      this.#claimRoom(controller);
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    const { maxBytes } = this.#limits;
    if (!this.#body.add(chunk))
      return controller.abort(new AnswerTooLongError(`more than ${maxBytes} bytes`));
    if (!this.#claim && this.#body.length > FREE_BYTES) this.#claimRoom(controller);
  }

  get #isEncoded(): boolean {
    return this.#headers['content-encoding'] !== undefined;
  }

  /** Pauses the answer until there is room for all of it: answers that are read by halves would wait for each other. */
  #claimRoom(controller: Dispatcher.DispatchController): void {
    const { maxBytes, budget } = this.#limits;
    const { 'content-length': declared } = this.#headers;
    // A short body may be a long one in an encoding.
    const bytes = this.#isEncoded || declared === undefined ? maxBytes : Number(declared);
    if (bytes > maxBytes)
      return controller.abort(new AnswerTooLongError(`more than ${maxBytes} bytes`));
    this.#body.expect(bytes);
    this.#claim = new AnswerClaim(bytes, this.#call.room ?? toEndedRoom(), (isGranted) => {
      if (isGranted) controller.resume();
      else controller.abort(new NoRoomError('no room for the answer'));
    });
    budget.claim(this.#claim);
    if (this.#claim.isGranted) return;
    this.#hasWaited = true;
    controller.pause();
  }

  onResponseEnd(): void {
    this.#succeed(this.#body.toBuffer());
  }

  onResponseError(_: Dispatcher.DispatchController | undefined, error: Error): void {
    const call = this.#call;
    if (!this.#controller) return this.#fail(new RestUnreachableError(call, error));
    if (!this.#status) return this.#fail(new RestConnectionLostError(call, error));
    return this.#endInBody((status, outcome) => {
      if (error instanceof NoRoomError) return new RestNoRoomError(call, status, outcome);
      if (error instanceof AnswerTooLongError)
        return new RestAnswerError(call, status, 'a body that is too long', outcome);
      return new RestCutAnswerError(call, status, outcome, error);
    });
  }

  #expire(): void {
    const call = this.#call;
    const { deadlineMs } = this.#limits;
    if (!this.#controller) this.#fail(new RestTimeoutError(call, deadlineMs, 'NOT_SENT'));
    else if (!this.#status) this.#fail(new RestTimeoutError(call, deadlineMs, 'UNKNOWN'));
    else
      this.#endInBody((status, outcome) =>
        this.#hasWaited
          ? new RestNoRoomError(call, status, outcome)
          : new RestTimeoutError(call, deadlineMs, outcome, status),
      );
    this.#controller?.abort(new Error('the deadline has passed'));
  }

  /** The body will not come whole. Of a 2xx that is an error; any other status is a verdict without it. */
  #endInBody(toError: (status: number, outcome: 'APPLIED' | 'UNKNOWN') => RestError): void {
    const status = this.#status;
    if (status >= 200 && status < 300)
      this.#fail(toError(status, toSuccessOutcome(this.#headers['content-type'])));
    else this.#succeed(Buffer.alloc(0));
  }

  #succeed(body: Buffer): void {
    if (!this.#settle()) return;
    const answer = { status: this.#status, headers: this.#headers, body };
    try {
      this.#resolve(this.#read(this.#call, answer));
      // The length of an encoded body says nothing of what is made of it.
      this.#endClaim(this.#isEncoded ? this.#claim?.bytes : body.length);
    } catch (error) {
      this.#endClaim();
      this.#reject(error);
    }
  }

  #fail(error: Error): void {
    if (!this.#settle()) return;
    this.#endClaim();
    this.#reject(error);
  }

  #endClaim(usedBytes = 0): void {
    this.#claim?.end(this.#limits.budget, usedBytes);
  }

  #settle(): boolean {
    if (this.#settled) return false;
    this.#settled = true;
    clearTimeout(this.#deadline);
    return true;
  }
}

/** Room for a call without an operation, which holds nothing after the call. */
function toEndedRoom(): AnswerRoom {
  const room = new AnswerRoom();
  room.end();
  return room;
}
