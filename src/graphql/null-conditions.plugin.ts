import {
  GraphQLError,
  Kind,
  visit,
  type DocumentNode,
  type OperationDefinitionNode,
} from 'graphql';
import { statelessPlugin } from './stateless.plugin.js';

/**
 * Refuses an operation that gives `null` to `@skip` or `@include`, before anything is sent. GraphQL allows it in a
 * variable with a default, and graphql-js finds it only when it has the answer of a write in hand.
 */
export const nullConditionsPlugin = statelessPlugin({
  async didResolveOperation({ document, operation, request: { variables = {} } }) {
    const nulls = findNulls(operation, variables);
    if (nulls.length === 0) return;
    const condition = findCondition(document, operation, nulls);
    if (condition !== undefined) throw new NullConditionError(condition);
  },
});

/** The names of the variables that are given as `null` though they have a default. */
function findNulls(
  operation: OperationDefinitionNode | undefined,
  variables: Readonly<Record<string, unknown>>,
): readonly string[] {
  return (operation?.variableDefinitions ?? []).flatMap(({ variable, defaultValue }) => {
    const name = variable.name.value;
    const isNull = Object.hasOwn(variables, name) && variables[name] === null;
    return defaultValue && isNull ? [name] : [];
  });
}

function findCondition(
  document: DocumentNode,
  operation: OperationDefinitionNode | undefined,
  names: readonly string[],
): string | undefined {
  let found: string | undefined;
  visit(document, {
    // The variables of another operation may have the same names.
    OperationDefinition: (node) => (node === operation ? undefined : false),
    Directive: ({ arguments: args = [] }) => {
      for (const { value } of args)
        if (value.kind === Kind.VARIABLE && names.includes(value.name.value))
          found = value.name.value;
    },
  });
  return found;
}

/** A condition is neither true nor false. Nothing was sent. */
class NullConditionError extends GraphQLError {
  override readonly name = 'NullConditionError';

  constructor(variable: string) {
    const message = `Variable "$${variable}" is null, and a directive needs true or false.`;
    super(message, {
      extensions: {
        code: 'BAD_USER_INPUT',
        outcome: 'NOT_SENT',
        retryable: false,
        fieldErrors: [{ path: [variable], message }],
        http: { status: 400 },
      },
    });
  }
}
