import { GraphQLError, type GraphQLErrorExtensions } from 'graphql';
import { pauseStackTraces } from './stack-traces.js';

/** Base of the errors with which the gateway itself refuses an operation: nothing was sent to the Study API. */
export abstract class NotSentError extends GraphQLError {
  constructor(
    message: string,
    extensions: GraphQLErrorExtensions & { readonly code: string; readonly retryable: boolean },
  ) {
    const resumeStackTraces = pauseStackTraces();
    super(message, { extensions: { outcome: 'NOT_SENT', ...extensions } });
    resumeStackTraces();
  }
}
