import type { Outcome, RestCall } from './rest-call.js';
import type { ValidationDetail } from './validation-details.js';

/**
 * A call that brought no answer to work with. It holds neither the token nor an id nor a body, so that it can be
 * logged as it is.
 */
export abstract class RestError extends Error {
  abstract readonly outcome: Outcome;
  readonly method: RestCall['method'];
  /** `undefined` when no status was read. */
  readonly status?: number | undefined;
  /** `undefined` when nobody said how long to wait. */
  readonly retryAfterSeconds?: number | undefined;

  constructor(call: RestCall, reason: string, options?: ErrorOptions) {
    super(`${call.method} ${call.template}: ${reason}`, options);
    this.method = call.method;
  }
}

/** No connection: refused, no such name, TLS failed, or no connection within the connect timeout. */
export class RestUnreachableError extends RestError {
  override readonly name = 'RestUnreachableError';
  readonly outcome = 'NOT_SENT';

  constructor(call: RestCall, cause: unknown) {
    super(call, 'no connection to the API', { cause });
  }
}

/** The connection ended after a byte of the request may have left and before a status came back. */
export class RestConnectionLostError extends RestError {
  override readonly name = 'RestConnectionLostError';
  readonly outcome = 'UNKNOWN';

  constructor(call: RestCall, cause: unknown) {
    super(call, 'the connection ended before the answer', { cause });
  }
}

/**
 * The deadline passed: `NOT_SENT` while the call still waited for its turn or a connection, `UNKNOWN` once it
 * was sent, and when the body of a 2xx was under way, as of {@link RestAnswerError}.
 */
export class RestTimeoutError extends RestError {
  override readonly name = 'RestTimeoutError';

  constructor(
    call: RestCall,
    readonly deadlineMs: number,
    readonly outcome: 'NOT_SENT' | 'UNKNOWN' | 'APPLIED',
    override readonly status?: number,
  ) {
    super(call, `no whole answer within ${deadlineMs} ms`);
  }
}

/** The API answered with a status other than 2xx. A 4xx is its no; a 3xx or 5xx says nothing certain. */
export class RestStatusError extends RestError {
  override readonly name = 'RestStatusError';
  readonly outcome: 'REJECTED' | 'UNKNOWN';

  constructor(
    call: RestCall,
    override readonly status: number,
    override readonly retryAfterSeconds: number | undefined,
    /** What the API said of single values; empty unless the body has a shape that we know. */
    readonly details: readonly ValidationDetail[],
  ) {
    super(call, `the API answered ${status}`);
    this.outcome = status >= 400 && status < 500 ? 'REJECTED' : 'UNKNOWN';
  }
}

/**
 * A 2xx whose body is not one whole JSON object. `APPLIED`, because the API said yes; `UNKNOWN` when
 * the body is a page or plain text, because then something other than the API may have answered.
 */
export class RestAnswerError extends RestError {
  override readonly name = 'RestAnswerError';

  constructor(
    call: RestCall,
    override readonly status: number,
    reason: string,
    readonly outcome: 'APPLIED' | 'UNKNOWN',
  ) {
    super(call, `the API answered ${status} with ${reason}`);
  }
}

/** A 2xx whose body was cut off by the end of the connection. `outcome` as of {@link RestAnswerError}. */
export class RestCutAnswerError extends RestError {
  override readonly name = 'RestCutAnswerError';

  constructor(
    call: RestCall,
    override readonly status: number,
    readonly outcome: 'APPLIED' | 'UNKNOWN',
    cause: unknown,
  ) {
    super(call, `the API answered ${status}, and the connection ended in the body`, { cause });
  }
}

/**
 * A 2xx whose body was not read: the answers in memory left no room for it before the deadline. `outcome` as of
 * {@link RestAnswerError}.
 */
export class RestNoRoomError extends RestError {
  override readonly name = 'RestNoRoomError';

  constructor(
    call: RestCall,
    override readonly status: number,
    readonly outcome: 'APPLIED' | 'UNKNOWN',
  ) {
    super(call, `the API answered ${status}, and there was no room in memory for the body`);
  }
}

/** As many calls as allowed are under way, and the queue behind them is full. */
export class RestOverloadedError extends RestError {
  override readonly name = 'RestOverloadedError';
  readonly outcome = 'NOT_SENT';
  override readonly retryAfterSeconds = 1;

  constructor(call: RestCall) {
    super(call, 'too many calls are under way');
  }
}

/** The circuit breaker is open: the API has failed too often of late to be asked again yet. */
export class RestCircuitOpenError extends RestError {
  override readonly name = 'RestCircuitOpenError';
  readonly outcome = 'NOT_SENT';

  constructor(
    call: RestCall,
    override readonly retryAfterSeconds: number,
  ) {
    super(call, 'the circuit breaker is open');
  }
}
