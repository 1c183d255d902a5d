import { GraphQLError } from 'graphql';

/** The caller is known, and may not do this. Nothing was sent. */
export class ForbiddenError extends GraphQLError {
  override readonly name = 'ForbiddenError';

  constructor(reason: string) {
    super(reason, { extensions: { code: 'FORBIDDEN', outcome: 'NOT_SENT', retryable: false } });
  }
}
