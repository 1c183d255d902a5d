import { GraphQLError, type ASTNode, type GraphQLErrorExtensions } from 'graphql';
import { pauseStackTraces } from './stack-traces.js';

/** Base of errors with which the gateway itself refuses an operation, of which nothing was sent to the Study API. No stack. */
export abstract class NotSentError extends GraphQLError {
  /** @param nodes what is refused in the document; `undefined` for a refusal of the whole operation */
  constructor(
    message: string,
    extensions: GraphQLErrorExtensions & {
      readonly code: string;
      readonly retryable: boolean;
      readonly outcome?: never;
    },
    nodes?: readonly ASTNode[],
  ) {
    const resumeStackTraces = pauseStackTraces();
    super(message, { nodes: nodes ?? null, extensions: { ...extensions, outcome: 'NOT_SENT' } });
    resumeStackTraces();
  }
}
