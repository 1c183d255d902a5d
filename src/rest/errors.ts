import { StacklessError } from '../stack-traces.js';
import type { Evidence } from './evidence.js';
import { failures, toStatusFailure, type Failure, type FailureName } from './failures.js';
import type { ValidationDetail } from './refusal-body.js';
import type { Outcome, JsonCall } from './rest-call.js';

/**
 * A failed REST call. `name` and `message` hold neither the token nor an id nor a value, so that both can be logged.
 */
export abstract class RestError extends StacklessError {
  /** Name of the row in `failures` that says how to handle the error. */
  abstract readonly failure: FailureName;
  abstract readonly outcome: Outcome;
  readonly method: JsonCall['method'];
  /** Status of the answer; `undefined` when none arrived. */
  readonly status?: number | undefined;
  /** Recommended wait before a retry; `undefined` when neither the API nor the gateway recommends one. */
  readonly retryAfterSeconds?: number | undefined;
  /** Id that the part of the answer shows that was read; `undefined` if it shows none. */
  readonly shownId?: string | undefined;
  /** Deadline that has passed; `undefined` unless the call timed out. */
  readonly deadlineMs?: number | undefined;
  /** Validation errors for single values; empty or `undefined` if the answer has none in a known format. */
  readonly details?: readonly ValidationDetail[] | undefined;
  /** Plain text with which the API explains its refusal; `undefined` if the answer has none in a known format. */
  readonly upstreamMessage?: string | undefined;
  /** Bound that the answer passes: `more than 100,000 lists and objects`. `undefined` if it passes none. */
  readonly excess?: string | undefined;

  constructor(call: JsonCall, reason: string, options?: ErrorOptions) {
    super(`${call.method} ${call.template}: ${reason}`, options);
    this.method = call.method;
  }

  get bound(): string | undefined {
    return this.excess === undefined ? undefined : 'answer_parts';
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

  constructor(call: JsonCall, cause: unknown) {
    super(call, 'no connection to the API', { cause });
  }
}

/** The connection broke after a byte of the request may have been sent, and before a status arrived. */
export class RestConnectionLostError extends RestError {
  override readonly name = 'RestConnectionLostError';
  readonly failure = 'connectionLost';
  readonly outcome = failures.connectionLost.outcome;

  constructor(call: JsonCall, cause: unknown) {
    super(call, 'the connection ended before the answer', { cause });
  }
}

/** Evidence that no byte of the request was sent. */
export const notSent = { outcome: 'NOT_SENT', id: undefined } as const;

/**
 * The deadline passed. `outcome` is `NOT_SENT` if the call still waited in the queue or for a connection, and `UNKNOWN`
 * if it had been sent. If the body of a 2xx is incomplete, the part that was read is the evidence.
 */
export class RestTimeoutError extends RestError {
  override readonly name = 'RestTimeoutError';
  readonly failure: 'timeoutBeforeSending' | 'timeout' | 'timeoutInBody';

  readonly outcome: 'NOT_SENT' | Evidence['outcome'];
  override readonly shownId: string | undefined;

  constructor(
    call: JsonCall,
    override readonly deadlineMs: number,
    { outcome, id }: Evidence | typeof notSent,
    /** Status of a 2xx whose body is incomplete; otherwise `undefined`. */
    override readonly status?: number,
  ) {
    super(call, `no whole answer within ${deadlineMs} ms`);
    this.outcome = outcome;
    this.shownId = id;
    if (outcome === 'NOT_SENT') this.failure = 'timeoutBeforeSending';
    else this.failure = status === undefined ? 'timeout' : 'timeoutInBody';
  }
}

/** The API answered with a status other than 2xx. The row of the status in `failures` has the outcome. */
export class RestStatusError extends RestError {
  override readonly name = 'RestStatusError';
  readonly failure: ReturnType<typeof toStatusFailure>;
  readonly outcome: 'REJECTED' | 'UNKNOWN';

  constructor(
    call: JsonCall,
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
 * A 2xx whose body is too long, has too many parts, is no JSON object, or does not show what the call asks for; or a 404 to a read that may
 * come from a proxy.
 */
export class RestAnswerError extends RestError {
  override readonly name = 'RestAnswerError';
  readonly failure: 'unreadableAnswer' | 'entityNotShown';
  readonly outcome: Evidence['outcome'];
  override readonly shownId: string | undefined;

  constructor(
    call: JsonCall,
    override readonly status: number,
    reason: string,
    { outcome, id }: Evidence,
    override readonly excess?: string | undefined,
  ) {
    super(call, `the API answered ${status} with ${reason}`);
    this.failure = call.entity && id === undefined ? 'entityNotShown' : 'unreadableAnswer';
    this.outcome = outcome;
    this.shownId = id;
  }
}

/** The connection broke in the body of a 2xx. */
export class RestCutAnswerError extends RestError {
  override readonly name = 'RestCutAnswerError';
  readonly failure = 'cutAnswer';
  readonly outcome: Evidence['outcome'];
  override readonly shownId: string | undefined;

  constructor(
    call: JsonCall,
    override readonly status: number,
    { outcome, id }: Evidence,
    cause: unknown,
  ) {
    super(call, `the API answered ${status}, and the connection ended in the body`, { cause });
    this.outcome = outcome;
    this.shownId = id;
  }
}

/** The body of a 2xx was not read to its end, because the budget for answers in memory had no room for it. */
export class RestNoRoomError extends RestError {
  override readonly name = 'RestNoRoomError';
  readonly failure = 'noRoom';
  readonly outcome: Evidence['outcome'];
  override readonly shownId: string | undefined;

  constructor(
    call: JsonCall,
    override readonly status: number,
    { outcome, id }: Evidence,
  ) {
    super(call, `the API answered ${status}, and there was no room in memory for the body`);
    this.outcome = outcome;
    this.shownId = id;
  }
}

/** The maximum number of calls is under way, and the queue is full. */
export class RestOverloadedError extends RestError {
  override readonly name = 'RestOverloadedError';
  readonly failure = 'overloaded';
  readonly outcome = failures.overloaded.outcome;
  override readonly retryAfterSeconds = 1;

  constructor(call: JsonCall) {
    super(call, 'too many calls are under way');
  }
}

/** The circuit breaker refuses the call, because too many recent calls have failed. */
export class RestCircuitOpenError extends RestError {
  override readonly name = 'RestCircuitOpenError';
  readonly failure = 'circuitOpen';
  readonly outcome = failures.circuitOpen.outcome;

  constructor(
    call: JsonCall,
    override readonly retryAfterSeconds: number,
  ) {
    super(call, 'the circuit breaker is open');
  }
}
