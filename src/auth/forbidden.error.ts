import { GraphQLError } from 'graphql';
import { pauseStackTraces } from '../stack-traces.js';

/** The caller is authenticated, but may not write. Nothing was sent to the Study API. */
export class ForbiddenError extends GraphQLError {
  override readonly name = 'ForbiddenError';

  constructor(reason: string) {
    const resumeStackTraces = pauseStackTraces();
    super(reason, { extensions: { code: 'FORBIDDEN', outcome: 'NOT_SENT', retryable: false } });
    resumeStackTraces();
  }
}
