import { StacklessError } from '../stack-traces.js';
import { failures, toStatusFailure, type Failure, type FailureName } from './failures.js';
import type { ValidationDetail } from './refusal-body.js';
import type { Outcome, RestCall } from './rest-call.js';

/**
 * A failed REST call. `name` and `message` hold neither the token nor an id nor a value, so that both can be logged.
 */
export abstract class RestError extends StacklessError {
  /** Name of the row in `failures` that says how to handle the error. */
  abstract readonly failure: FailureName;
  abstract readonly outcome: Outcome;
  readonly method: RestCall['method'];
  /** Status of the answer; `undefined` when none arrived. */
  readonly status?: number | undefined;
  /** Recommended wait before a retry; `undefined` when neither the API nor the gateway recommends one. */
  readonly retryAfterSeconds?: number | undefined;
  /** Deadline that has passed; `undefined` unless the call timed out. */
  readonly deadlineMs?: number | undefined;
  /** Validation errors for single values; empty or `undefined` if the answer has none in a known format. */
  readonly details?: readonly ValidationDetail[] | undefined;
  /** Plain text with which the API explains its refusal; `undefined` if the answer has none in a known format. */
  readonly upstreamMessage?: string | undefined;

  constructor(call: RestCall, reason: string, options?: ErrorOptions) {
    super(`${call.method} ${call.template}: ${reason}`, options);
    this.method = call.method;
  }

  get meaning(): Failure {
    return failures[this.failure];
  }

  /** Returns true if the given cell of the error's row in `failures` applies to the method of the failed call. */
  is(cell: 'retryable' | 'repeated'): boolean {
    const calls = this.meaning[cell];
    return calls === 'always' || (calls === 'reads' && this.method === 'GET');
  }
}

/** No connection could be made: refused, unknown host name, TLS failure or connect timeout. */
export class RestUnreachableError extends RestError {
  override readonly name = 'RestUnreachableError';
  readonly failure = 'unreachable';
  readonly outcome = failures.unreachable.outcome;

  constructor(call: RestCall, cause: unknown) {
    super(call, 'no connection to the API', { cause });
  }
}

/** The connection broke after a byte of the request may have been sent, and before a status arrived. */
export class RestConnectionLostError extends RestError {
  override readonly name = 'RestConnectionLostError';
  readonly failure = 'connectionLost';
  readonly outcome = failures.connectionLost.outcome;

  constructor(call: RestCall, cause: unknown) {
    super(call, 'the connection ended before the answer', { cause });
  }
}

/**
 * The deadline passed. `outcome` is `NOT_SENT` if the call still waited in the queue or for a connection, and `UNKNOWN`
 * if it had been sent. If the body of a 2xx is incomplete, `outcome` follows the rule of {@link RestAnswerError}.
 */
export class RestTimeoutError extends RestError {
  override readonly name = 'RestTimeoutError';
  readonly failure: 'timeoutBeforeSending' | 'timeout' | 'timeoutInBody';

  constructor(
    call: RestCall,
    override readonly deadlineMs: number,
    readonly outcome: 'NOT_SENT' | 'UNKNOWN' | 'APPLIED',
    /** Status of a 2xx whose body is incomplete; otherwise `undefined`. */
    override readonly status?: number,
  ) {
    super(call, `no whole answer within ${deadlineMs} ms`);
    if (outcome === 'NOT_SENT') this.failure = 'timeoutBeforeSending';
    else this.failure = status === undefined ? 'timeout' : 'timeoutInBody';
  }
}

/** The API answered with a status other than 2xx: a 4xx is `REJECTED`, a 3xx or 5xx leaves the outcome `UNKNOWN`. */
export class RestStatusError extends RestError {
  override readonly name = 'RestStatusError';
  readonly failure: ReturnType<typeof toStatusFailure>;
  readonly outcome: 'REJECTED' | 'UNKNOWN';

  constructor(
    call: RestCall,
    override readonly status: number,
    override readonly retryAfterSeconds: number | undefined,
    override readonly details: readonly ValidationDetail[],
    override readonly upstreamMessage?: string | undefined,
  ) {
    super(call, `the API answered ${status}`);
    this.failure = toStatusFailure(status);
    this.outcome = failures[this.failure].outcome;
  }
}

/**
 * The body of a 2xx is not a JSON object, or is too long. `outcome` is `APPLIED`, because the API accepted the call;
 * but `UNKNOWN` for HTML or plain text, with which a proxy may have answered instead of the API.
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

/** The connection broke in the body of a 2xx. `outcome` follows the rule of {@link RestAnswerError}. */
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
 * The body of a 2xx was not read, because the budget for answers in memory had no room for it. `outcome` follows the
 * rule of {@link RestAnswerError}.
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

/** The maximum number of calls is under way, and the queue is full. */
export class RestOverloadedError extends RestError {
  override readonly name = 'RestOverloadedError';
  readonly failure = 'overloaded';
  readonly outcome = failures.overloaded.outcome;
  override readonly retryAfterSeconds = 1;

  constructor(call: RestCall) {
    super(call, 'too many calls are under way');
  }
}

/** The circuit breaker refuses the call, because too many recent calls have failed. */
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
