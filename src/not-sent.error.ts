import { GraphQLError, type GraphQLErrorExtensions } from 'graphql';
import { pauseStackTraces } from './stack-traces.js';

/** Base of errors with which the gateway itself refuses an operation, of which nothing was sent to the Study API. No stack. */
export abstract class NotSentError extends GraphQLError {
  constructor(
    message: string,
    extensions: GraphQLErrorExtensions & {
      readonly code: string;
      readonly retryable: boolean;
      readonly outcome?: never;
    },
  ) {
    const resumeStackTraces = pauseStackTraces();
    super(message, { extensions: { ...extensions, outcome: 'NOT_SENT' } });
    resumeStackTraces();
  }
}
