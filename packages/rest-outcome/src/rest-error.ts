import type { Outcome, Read, ValidationDetail } from './call.js';
import { noEvidence, type Evidence } from './evidence.js';
import { failures, toText, type Failure, type FailureCode, type FailureName } from './failures.js';

/**
 * Base of expected errors: an error without a stack trace. Capturing a stack costs more than the rest of the error, and
 * nobody reads it.
 */
export abstract class StacklessError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    const { stackTraceLimit } = Error;
    Error.stackTraceLimit = 0;
    super(message, options);
    Error.stackTraceLimit = stackTraceLimit;
  }
}

/** The part of a call that its error names. */
type FailedCall = Pick<Read, 'template' | 'noun' | 'entity'> & { readonly method: string };

/** Observations of a failed call. */
export type Seen = Pick<
  RestError,
  'status' | 'retryAfterSeconds' | 'deadlineMs' | 'details' | 'upstreamMessage' | 'excess' | 'bound'
>;

interface Known extends Seen {
  /** Proof in a 2xx about the call. Default: none. */
  readonly evidence?: Evidence;
  /** Text for a missing or unreadable body: `no body`. */
  readonly body?: string;
  readonly cause?: unknown;
}

/**
 * A failed REST call. Its row in `failures` says what the failure means. `message` holds neither the token nor an id nor a
 * value, so that it can be logged.
 */
export class RestError extends StacklessError {
  override readonly name = 'RestError';
  readonly outcome: Outcome;
  readonly method: string;
  readonly noun: string;
  /** Status of the answer; `undefined` when none arrived. */
  readonly status?: number | undefined;
  /** Recommended wait before a retry; `undefined` when nobody recommends one. */
  readonly retryAfterSeconds?: number | undefined;
  /** Id that the part of the answer shows that was read; `undefined` if it shows none. */
  readonly shownId: string | undefined;
  /** Deadline that has passed; `undefined` unless the call timed out. */
  readonly deadlineMs?: number | undefined;
  /** Validation errors for single values; empty or `undefined` if the answer has none in a known format. */
  readonly details?: readonly ValidationDetail[] | undefined;
  /** Plain text with which the API explains its refusal; `undefined` if the answer has none in a known format. */
  readonly upstreamMessage?: string | undefined;
  /** Bound that the answer passes: `more than 4,194,304 bytes`. `undefined` if it passes none. */
  readonly excess?: string | undefined;
  /** Name of this bound; `undefined` for an error that was kept with an idempotency key. */
  readonly bound?: 'answer_bytes' | 'answer_memory' | undefined;

  /** @param failure name of the row */
  constructor(
    readonly failure: FailureName,
    { method, template, noun = 'thing' }: FailedCall,
    { evidence = noEvidence, body, cause, ...seen }: Known = {},
  ) {
    const { detail, outcome, retryAfterSeconds }: Failure = failures[failure];
    super(`${method} ${template}: ${toText(detail, { ...seen, body })}`, { cause });
    this.outcome = outcome === 'as-done' ? evidence.outcome : outcome;
    this.method = method;
    this.noun = noun;
    this.shownId = evidence.id;
    Object.assign(this, { retryAfterSeconds, ...seen });
  }

  get code(): FailureCode {
    return failures[this.failure].code;
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

/** Returns the error of an answer that cannot be used: a 2xx, or a 404 to a read that may come from a proxy. */
export function toUnusable(
  call: FailedCall,
  status: number,
  body: string,
  evidence: Evidence,
  excess?: Pick<Seen, 'excess' | 'bound'>,
): RestError {
  const isShown = !call.entity || evidence.id !== undefined;
  const failure = isShown ? 'unreadableAnswer' : 'entityNotShown';
  return new RestError(failure, call, { ...excess, status, body, evidence });
}

/** Returns the error of a 2xx with a body of more than `maxBytes`. */
export function toTooLong(
  call: FailedCall,
  status: number,
  maxBytes: number,
  evidence: Evidence,
): RestError {
  const excess = `more than ${maxBytes.toLocaleString('en')} bytes`;
  return toUnusable(call, status, excess, evidence, { excess, bound: 'answer_bytes' });
}

/** Returns the error of a 2xx with a body for which there is no room. */
export function toNoRoom(call: FailedCall, status: number, evidence: Evidence): RestError {
  const retryAfterSeconds = call.method === 'GET' ? 1 : undefined;
  const bound = 'answer_memory';
  return new RestError('noRoom', call, { status, evidence, retryAfterSeconds, bound });
}
