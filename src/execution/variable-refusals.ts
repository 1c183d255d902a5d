import { ApolloServerErrorCode } from '@apollo/server/errors';
import {
  getVariableValues,
  type GraphQLError,
  type GraphQLSchema,
  type OperationDefinitionNode,
} from 'graphql';
import { withoutStack } from '../stack-traces.js';

/** Number of errors after which graphql-js stops coercing the variables of an operation. */
const MAX_ERRORS = 50;

/**
 * Returns the errors of graphql-js about the variables of a request, with Apollo's code. Returns none if graphql-js accepts
 * the variables, or finds more than 50 errors.
 */
export function findVariableRefusals(
  schema: GraphQLSchema,
  { variableDefinitions = [] }: OperationDefinitionNode,
  given: Readonly<Record<string, unknown>>,
): readonly GraphQLError[] {
  const { errors = [] } = withoutStack(() =>
    getVariableValues(schema, variableDefinitions, given, { maxErrors: MAX_ERRORS }),
  );
  if (errors.length > MAX_ERRORS) return [];
  // As in Apollo, the code of a scalar's own error stays.
  for (const { extensions } of errors) extensions['code'] ??= ApolloServerErrorCode.BAD_USER_INPUT;
  return errors;
}
