import { GraphQLError } from 'graphql';

/** The token cannot be verified until the issuer's keys are fetched again. Nothing was sent. */
export class KeysUnavailableError extends GraphQLError {
  override readonly name = 'KeysUnavailableError';

  /** @param retryAfterSeconds time until the issuer is asked again */
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
