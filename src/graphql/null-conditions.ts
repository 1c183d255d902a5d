import { Kind, visit, type VariableNode } from 'graphql';
import { Refusal } from '../errors/refusal.js';
import type { OperationListener } from './listener.js';

/**
 * Refuses an operation that passes `null` to `@skip` or `@include`, before any REST call. GraphQL allows `null` in a
 * variable with a default; graphql-js would report the error only after the write, when it completes the result.
 */
export const nullConditionsListener: OperationListener = {
  didResolveOperation({ document, operation, request: { variables = {} } }) {
    const nulls = (operation?.variableDefinitions ?? [])
      .filter(
        ({ variable, defaultValue }) => defaultValue && variables[variable.name.value] === null,
      )
      .map(({ variable }) => variable.name.value);
    if (nulls.length === 0) return;
    visit(document, {
      // Skips other operations, whose variables may have the same names.
      OperationDefinition: (node) => (node === operation ? undefined : false),
      Directive: ({ arguments: args = [] }) => {
        for (const { value } of args)
          if (value.kind === Kind.VARIABLE && nulls.includes(value.name.value))
            throw refused(value);
      },
    });
  },
};

function refused(condition: VariableNode): Refusal {
  const variable = condition.name.value;
  const message = `Variable "$${variable}" is null, and a directive needs true or false.`;
  return new Refusal('BAD_USER_INPUT', message, { status: 400, nodes: [condition] });
}
