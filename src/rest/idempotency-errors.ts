import { RestError } from './errors.js';
import type { RestCall } from './rest-call.js';

/** The idempotency key was used before, for another write. */
export class RestKeyReusedError extends RestError {
  override readonly name = 'RestKeyReusedError';
  readonly outcome = 'NOT_SENT';

  constructor(call: RestCall) {
    super(call, 'the idempotency key was used with other input');
  }
}

/** No promise can be given for an idempotency key now: what holds them is away, or full. */
export class RestKeyRefusedError extends RestError {
  override readonly name = 'RestKeyRefusedError';
  readonly outcome = 'NOT_SENT';
  override readonly retryAfterSeconds = 1;

  constructor(call: RestCall, cause: unknown) {
    super(call, 'the idempotency key cannot be held', { cause });
  }
}

/** The first call with the idempotency key may have been sent, and nobody knows, or knows yet, how it ended. */
export class RestKeyUnsettledError extends RestError {
  override readonly name = 'RestKeyUnsettledError';
  readonly outcome = 'UNKNOWN';

  constructor(call: RestCall) {
    super(call, 'the first call with the idempotency key has left no result');
  }
}

/** The first call with the idempotency key has succeeded, and its answer could not be kept. */
export class RestAnswerNotKeptError extends RestError {
  override readonly name = 'RestAnswerNotKeptError';
  readonly outcome = 'APPLIED';

  constructor(call: RestCall) {
    super(call, 'the answer to the first call with the idempotency key could not be kept');
  }
}
