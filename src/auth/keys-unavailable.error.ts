import { GraphQLError } from 'graphql';

/** The token cannot be verified until the issuer's keys can be fetched. Nothing was sent to the Study API. */
export class KeysUnavailableError extends GraphQLError {
  override readonly name = 'KeysUnavailableError';

  /** @param retryAfterSeconds time until the keys may be fetched again */
  constructor(retryAfterSeconds: number) {
    super(
      "The token cannot be verified until its issuer's keys are fetched again. Nothing was sent.",
      {
        extensions: {
          code: 'UPSTREAM_UNAVAILABLE',
          outcome: 'NOT_SENT',
          retryable: true,
          retryAfterSeconds,
        },
      },
    );
  }
}
