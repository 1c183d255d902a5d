import { NotSentError } from '../not-sent.error.js';

/** The request has no bearer token, or one that the gateway does not accept. */
export class UnauthenticatedError extends NotSentError {
  override readonly name = 'UnauthenticatedError';

  constructor(reason: string) {
    super(reason, { code: 'UNAUTHENTICATED', retryable: false });
  }
}
