import { GraphQLError } from 'graphql';

/** Whether the token is good cannot be told, as the issuer's keys cannot be had. Nothing was sent. */
export class KeysUnavailableError extends GraphQLError {
  override readonly name = 'KeysUnavailableError';

  constructor() {
    super('The keys to verify the token with cannot be fetched at the moment. Nothing was sent.', {
      extensions: { code: 'UPSTREAM_UNAVAILABLE', outcome: 'NOT_SENT', retryable: true },
    });
  }
}
