import { GraphQLError, Kind, type ValueNode } from 'graphql';
import { withoutStack } from '../stack-traces.js';

/**
 * Returns the `parseLiteral` of a scalar whose literals are strings. Adds the location of the literal to errors of `parse`:
 * graphql-js reports the `GraphQLError` of a scalar as it is.
 *
 * @param parse parses the text of a literal, or `undefined` for a literal that is not a string
 */
export function toLiteralParser<Value>(
  parse: (text: unknown) => Value,
): (node: ValueNode) => Value {
  return (node) => {
    try {
      return parse(node.kind === Kind.STRING ? node.value : undefined);
    } catch (error) {
      if (!(error instanceof GraphQLError)) throw error;
      throw withoutStack(() => new GraphQLError(error.message, { nodes: node }));
    }
  };
}
