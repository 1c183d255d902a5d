import { GraphQLError } from 'graphql';

/** The caller is authenticated, but may not write. Nothing was sent to the Study API. */
export class ForbiddenError extends GraphQLError {
  override readonly name = 'ForbiddenError';

  constructor(reason: string) {
    super(reason, { extensions: { code: 'FORBIDDEN', outcome: 'NOT_SENT', retryable: false } });
  }
}
