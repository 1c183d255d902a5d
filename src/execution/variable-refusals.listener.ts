import { HeaderMap, type BaseContext, type GraphQLRequestListener } from '@apollo/server';
import type { GraphQLSchema } from 'graphql';
import type { PlannedErrors } from './planned-execution.js';
import { findVariableRefusals } from './variable-refusals.js';

/** HTTP head of an answer to variables that are refused: Apollo's status. */
const refusalHead = { status: 400, headers: new HeaderMap() };

/**
 * Creates a listener that refuses variables in place of graphql-js, whose messages repeat whole values. Place the listener
 * after execution plans: an operation that a plan answers has no wrong variables.
 */
export function createVariableRefusals<Context extends BaseContext>(
  schema: GraphQLSchema,
  { formatErrors }: Pick<PlannedErrors<Context>, 'formatErrors'>,
): Pick<GraphQLRequestListener<Context>, 'responseForOperation'> {
  return {
    async responseForOperation(context) {
      const { operation, request } = context;
      // Apollo's type is wrong: `operation` is undefined if the document has no operation with the requested name.
      if (!(operation as unknown)) return null;
      const refusals = findVariableRefusals(schema, operation, request.variables ?? {});
      if (refusals.length === 0) return null;
      // Apollo adds the errors of graphql-js to the request context.
      Object.assign(context, { errors: refusals });
      const singleResult = { errors: formatErrors(refusals, context) };
      return { http: refusalHead, body: { kind: 'single', singleResult } };
    },
  };
}
