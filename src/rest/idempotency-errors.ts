import { RestError } from './errors.js';
import { failures } from './failures.js';
import type { JsonCall } from './rest-call.js';

/** The idempotency key was used before, for a write with other input. */
export class RestKeyReusedError extends RestError {
  override readonly name = 'RestKeyReusedError';
  readonly failure = 'keyReused';
  readonly outcome = failures.keyReused.outcome;

  constructor(call: JsonCall) {
    super(call, 'the idempotency key was used with other input');
  }
}

/** The store of idempotency keys cannot be reached or is full, so the gateway could not detect a duplicate request. */
export class RestKeyRefusedError extends RestError {
  override readonly name = 'RestKeyRefusedError';
  readonly failure = 'keyRefused';
  readonly outcome = failures.keyRefused.outcome;
  override readonly retryAfterSeconds = 1;

  constructor(call: JsonCall, cause: unknown) {
    super(call, 'the idempotency key cannot be stored', { cause });
  }
}

/** The first call with the idempotency key may have been sent, but its result is lost or still pending. */
export class RestKeyUnsettledError extends RestError {
  override readonly name = 'RestKeyUnsettledError';
  readonly failure = 'keyUnsettled';
  readonly outcome = failures.keyUnsettled.outcome;

  constructor(call: JsonCall) {
    super(call, 'the first call with the idempotency key has left no result');
  }
}

/** The first call with the idempotency key succeeded, but its answer could not be stored. */
export class RestAnswerNotKeptError extends RestError {
  override readonly name = 'RestAnswerNotKeptError';
  readonly failure = 'answerNotKept';
  readonly outcome = failures.answerNotKept.outcome;

  constructor(call: JsonCall) {
    super(call, 'the answer to the first call with the idempotency key could not be kept');
  }
}
