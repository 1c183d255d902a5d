import type { IncomingHttpHeaders } from 'node:http';
import type { Dispatcher } from 'undici';
import {
  RestAnswerError,
  RestConnectionLostError,
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

export interface ExchangeLimits {
  /** From dispatch to the last byte of the body. */
  readonly deadlineMs: number;
  /** The most bytes of body, before decoding. */
  readonly maxBytes: number;
}

function isSuccess(status: number): boolean {
  return status >= 200 && status < 300;
}

/**
 * One request and its answer, and the knowledge of how far it came. undici calls `onRequestStart` right
 * before it writes the first byte: whatever fails earlier was `NOT_SENT`, whatever fails later may have
 * arrived. undici never repeats a request that it has started.
 */
export class Exchange implements Dispatcher.DispatchHandler {
  readonly answer: Promise<RawAnswer>;
  readonly #call: RestCall;
  readonly #limits: ExchangeLimits;
  readonly #deadline: NodeJS.Timeout;
  readonly #chunks: Buffer[] = [];
  #resolve!: (answer: RawAnswer) => void;
  #reject!: (error: Error) => void;
  #controller: Dispatcher.DispatchController | undefined;
  #settled = false;
  #status = 0;
  #headers: IncomingHttpHeaders = {};
  #size = 0;

  constructor(call: RestCall, limits: ExchangeLimits) {
    this.#call = call;
    this.#limits = limits;
    this.answer = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
    this.#deadline = setTimeout(() => this.#expire(), limits.deadlineMs);
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    // The deadline passed while the call waited for a connection: it must not leave any more.
    if (this.#settled) controller.abort(new Error('the deadline has passed'));
  }

  onResponseStart(
    _: Dispatcher.DispatchController,
    status: number,
    headers: IncomingHttpHeaders,
  ): void {
    this.#status = status;
    this.#headers = headers;
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#size += chunk.length;
    if (this.#size <= this.#limits.maxBytes) this.#chunks.push(chunk);
    else controller.abort(new Error(`more than ${this.#limits.maxBytes} bytes`));
  }

  onResponseEnd(): void {
    this.#succeed(Buffer.concat(this.#chunks, this.#size));
  }

  onResponseError(_: Dispatcher.DispatchController | undefined, error: Error): void {
    const call = this.#call;
    if (!this.#controller) this.#fail(new RestUnreachableError(call, error));
    else if (this.#status < 200) this.#fail(new RestConnectionLostError(call, error));
    else if (isSuccess(this.#status))
      this.#fail(new RestAnswerError(call, this.#status, 'a damaged body', 'APPLIED', error));
    else this.#succeed(Buffer.alloc(0));
  }

  #expire(): void {
    const { deadlineMs } = this.#limits;
    const controller = this.#controller;
    if (!controller) this.#fail(new RestTimeoutError(this.#call, deadlineMs, 'NOT_SENT'));
    else if (this.#status < 200)
      this.#fail(new RestTimeoutError(this.#call, deadlineMs, 'UNKNOWN'));
    else if (isSuccess(this.#status))
      this.#fail(new RestTimeoutError(this.#call, deadlineMs, 'APPLIED'));
    // The status alone is the verdict; what its body would have said is lost.
    else this.#succeed(Buffer.alloc(0));
    controller?.abort(new Error('the deadline has passed'));
  }

  #succeed(body: Buffer): void {
    if (!this.#settle()) return;
    this.#resolve({ status: this.#status, headers: this.#headers, body });
  }

  #fail(error: Error): void {
    if (!this.#settle()) return;
    this.#reject(error);
  }

  #settle(): boolean {
    if (this.#settled) return false;
    this.#settled = true;
    clearTimeout(this.#deadline);
    return true;
  }
}
