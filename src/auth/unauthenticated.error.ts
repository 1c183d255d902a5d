import { GraphQLError } from 'graphql';
import { pauseStackTraces } from '../stack-traces.js';

/** The request has no bearer token, or one that the gateway does not accept. Nothing was sent to the Study API. */
export class UnauthenticatedError extends GraphQLError {
  override readonly name = 'UnauthenticatedError';

  constructor(reason: string) {
    const resumeStackTraces = pauseStackTraces();
    super(reason, {
      extensions: { code: 'UNAUTHENTICATED', outcome: 'NOT_SENT', retryable: false },
    });
    resumeStackTraces();
  }
}
