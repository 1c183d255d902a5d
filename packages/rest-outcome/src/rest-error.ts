import type { Evidence, Outcome, Read, ValidationDetail } from './call.js';
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
type FailedCall = Pick<Read, 'template' | 'noun'> & { readonly method: string };

/** Facts of a failed call. */
export interface Facts extends Partial<
  Pick<
    RestError,
    'status' | 'retryAfterSeconds' | 'deadlineMs' | 'details' | 'upstreamMessage' | 'cause'
  >
> {
  /** Proof in a 2xx about the call. Default: none. */
  readonly evidence?: Evidence;
  /** Text for an unusable body: `no body`. */
  readonly body?: string;
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
  readonly status: number | undefined;
  /** Recommended wait before a retry; `undefined` when nobody recommends one, and when a retry is not safe. */
  readonly retryAfterSeconds: number | undefined;
  /** Id that the part of the answer shows that was read; `undefined` if it shows none. */
  readonly shownId: string | undefined;
  /** Deadline that has passed; `undefined` unless the call timed out. */
  readonly deadlineMs: number | undefined;
  /** Validation errors for single values, if the answer has them in a known format. */
  readonly details: readonly ValidationDetail[];
  /** Plain text with which the API explains its no; `undefined` if the answer has none in a known format. */
  readonly upstreamMessage: string | undefined;

  /** @param failure name of the row */
  constructor(
    readonly failure: FailureName,
    { method, template, noun = 'thing' }: FailedCall,
    facts: Facts = {},
  ) {
    const { detail, outcome, retryAfterSeconds }: Failure = failures[failure];
    super(`${method} ${template}: ${toText(detail, facts)}`, { cause: facts.cause });
    const { evidence } = facts;
    this.outcome = outcome === 'as-done' ? (evidence?.outcome ?? 'UNKNOWN') : outcome;
    this.method = method;
    this.noun = noun;
    this.status = facts.status;
    this.shownId = evidence?.id;
    this.deadlineMs = facts.deadlineMs;
    this.details = facts.details ?? [];
    this.upstreamMessage = facts.upstreamMessage;
    const wait = facts.retryAfterSeconds ?? retryAfterSeconds;
    this.retryAfterSeconds = this.is('retryable') ? wait : undefined;
  }

  get code(): FailureCode {
    return failures[this.failure].code;
  }

  get bound(): Failure['bound'] {
    return this.meaning.bound;
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
