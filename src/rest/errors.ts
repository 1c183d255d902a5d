import { failures, toStatusFailure, type Failure, type FailureName } from './failures.js';
import type { Outcome, RestCall } from './rest-call.js';
import type { ValidationDetail } from './validation-details.js';

/**
 * A call that brought no answer to work with. The error holds neither the token nor an id nor a body, so that the
 * error can be logged whole.
 */
export abstract class RestError extends Error {
  /** Names the row of `failures` that says what the error means to everybody. */
  abstract readonly failure: FailureName;
  abstract readonly outcome: Outcome;
  readonly method: RestCall['method'];
  /** `undefined` when no status was read. */
  readonly status?: number | undefined;
  /** `undefined` when nobody said how long to wait. */
  readonly retryAfterSeconds?: number | undefined;
  /** `undefined` when the deadline was kept. */
  readonly deadlineMs?: number | undefined;
  /** What the API said of single values; empty or `undefined` unless the body has a known shape. */
  readonly details?: readonly ValidationDetail[] | undefined;

  constructor(call: RestCall, reason: string, options?: ErrorOptions) {
    super(`${call.method} ${call.template}: ${reason}`, options);
    this.method = call.method;
  }

  get meaning(): Failure {
    return failures[this.failure];
  }

  /** Whether a cell of the error's row applies to the failed call. */
  is(cell: 'retryable' | 'repeated'): boolean {
    const calls = this.meaning[cell];
    return calls === 'always' || (calls === 'reads' && this.method === 'GET');
  }
}

/** No connection: refused, no such name, TLS failed, or no connection within the connect timeout. */
export class RestUnreachableError extends RestError {
  override readonly name = 'RestUnreachableError';
  readonly failure = 'unreachable';
  readonly outcome = failures.unreachable.outcome;

  constructor(call: RestCall, cause: unknown) {
    super(call, 'no connection to the API', { cause });
  }
}

/** The connection ended after a byte of the request may have left and before a status came back. */
export class RestConnectionLostError extends RestError {
  override readonly name = 'RestConnectionLostError';
  readonly failure = 'connectionLost';
  readonly outcome = failures.connectionLost.outcome;

  constructor(call: RestCall, cause: unknown) {
    super(call, 'the connection ended before the answer', { cause });
  }
}

/**
 * The deadline passed: `NOT_SENT` while the call still waited in the queue or for a connection, `UNKNOWN` once the
 * call was sent, and when the body of a 2xx was under way, like {@link RestAnswerError}.
 */
export class RestTimeoutError extends RestError {
  override readonly name = 'RestTimeoutError';
  readonly failure: 'timeoutBeforeSending' | 'timeout' | 'timeoutInBody';

  constructor(
    call: RestCall,
    override readonly deadlineMs: number,
    readonly outcome: 'NOT_SENT' | 'UNKNOWN' | 'APPLIED',
    /** Status of a 2xx whose body was under way. */
    override readonly status?: number,
  ) {
    super(call, `no whole answer within ${deadlineMs} ms`);
    if (outcome === 'NOT_SENT') this.failure = 'timeoutBeforeSending';
    else this.failure = status === undefined ? 'timeout' : 'timeoutInBody';
  }
}

/** The API answered with a status other than 2xx. A 4xx refuses the call; a 3xx or 5xx says nothing certain. */
export class RestStatusError extends RestError {
  override readonly name = 'RestStatusError';
  readonly failure: ReturnType<typeof toStatusFailure>;
  readonly outcome: 'REJECTED' | 'UNKNOWN';

  constructor(
    call: RestCall,
    override readonly status: number,
    override readonly retryAfterSeconds: number | undefined,
    override readonly details: readonly ValidationDetail[],
  ) {
    super(call, `the API answered ${status}`);
    this.failure = toStatusFailure(status);
    this.outcome = failures[this.failure].outcome;
  }
}

/**
 * A 2xx whose body is not one whole JSON object. `APPLIED`, because the API said yes; `UNKNOWN` when
 * the body is a page or plain text, because then something other than the API may have answered.
 */
export class RestAnswerError extends RestError {
  override readonly name = 'RestAnswerError';
  readonly failure = 'unreadableAnswer';

  constructor(
    call: RestCall,
    override readonly status: number,
    reason: string,
    readonly outcome: 'APPLIED' | 'UNKNOWN',
  ) {
    super(call, `the API answered ${status} with ${reason}`);
  }
}

/** A 2xx whose body was cut off by the end of the connection. `outcome` like {@link RestAnswerError}. */
export class RestCutAnswerError extends RestError {
  override readonly name = 'RestCutAnswerError';
  readonly failure = 'cutAnswer';

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
 * A 2xx whose body was not read: the answers in memory left no room for the body before the deadline. `outcome` like
 * {@link RestAnswerError}.
 */
export class RestNoRoomError extends RestError {
  override readonly name = 'RestNoRoomError';
  readonly failure = 'noRoom';

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
  readonly failure = 'overloaded';
  readonly outcome = failures.overloaded.outcome;
  override readonly retryAfterSeconds = 1;

  constructor(call: RestCall) {
    super(call, 'too many calls are under way');
  }
}

/** The circuit breaker is open: too many of the latest calls failed. */
export class RestCircuitOpenError extends RestError {
  override readonly name = 'RestCircuitOpenError';
  readonly failure = 'circuitOpen';
  readonly outcome = failures.circuitOpen.outcome;

  constructor(
    call: RestCall,
    override readonly retryAfterSeconds: number,
  ) {
    super(call, 'the circuit breaker is open');
  }
}
