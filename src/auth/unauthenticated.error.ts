import { GraphQLError } from 'graphql';

/** The caller has no bearer token that could be passed on. Nothing was sent. */
export class UnauthenticatedError extends GraphQLError {
  override readonly name = 'UnauthenticatedError';

  constructor(reason: string) {
    super(reason, {
      extensions: { code: 'UNAUTHENTICATED', outcome: 'NOT_SENT', retryable: false },
    });
  }
}
