import { NotSentError } from '../not-sent.error.js';

/** The token cannot be verified until the issuer's keys can be fetched. */
export class KeysUnavailableError extends NotSentError {
  override readonly name = 'KeysUnavailableError';

  /** @param retryAfterSeconds time until the keys may be fetched again */
  constructor(retryAfterSeconds: number) {
    super(
      "The token cannot be verified until its issuer's keys are fetched again. Nothing was sent.",
      { code: 'UPSTREAM_UNAVAILABLE', retryable: true, retryAfterSeconds },
    );
  }
}
