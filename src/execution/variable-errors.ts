import { ApolloServerErrorCode } from '@apollo/server/errors';
import {
  getVariableValues,
  GraphQLError,
  type GraphQLSchema,
  type OperationDefinitionNode,
} from 'graphql';
import { withoutStack } from '../stack-traces.js';

/** Maximum number of errors after which graphql-js stops coercing the variables of an operation. */
const MAX_ERRORS = 50;

/**
 * Returns the errors with which Apollo answers variables that graphql-js refuses. Returns none if graphql-js accepts the
 * variables, or finds more than 50 errors.
 */
export function findVariableErrors(
  schema: GraphQLSchema,
  { variableDefinitions = [] }: OperationDefinitionNode,
  given: Readonly<Record<string, unknown>>,
): readonly GraphQLError[] {
  return withoutStack(() => {
    const { errors = [] } = getVariableValues(schema, variableDefinitions, given, {
      maxErrors: MAX_ERRORS,
    });
    return errors.length > MAX_ERRORS ? [] : errors.map(toUserInputError);
  });
}

/** Adds the code, as Apollo does. */
function toUserInputError(error: GraphQLError): GraphQLError {
  const { message, nodes = null, originalError, extensions } = error;
  return new GraphQLError(message, {
    nodes,
    originalError: originalError ?? error,
    extensions: { ...extensions, code: ApolloServerErrorCode.BAD_USER_INPUT },
  });
}
