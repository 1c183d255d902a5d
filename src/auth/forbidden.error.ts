import { NotSentError } from '../not-sent.error.js';

/** The caller is authenticated, but may not write. */
export class ForbiddenError extends NotSentError {
  override readonly name = 'ForbiddenError';

  constructor(reason: string) {
    super(reason, { code: 'FORBIDDEN', retryable: false });
  }
}
