import type { ApolloServerPlugin } from '@apollo/server';
import {
  getVariableValues,
  GraphQLError,
  GraphQLInt,
  OperationTypeNode,
  valueFromAST,
  type FieldNode,
} from 'graphql';
import { findRootFields } from '../../graphql/root-fields.js';
import { DEFAULT_PAGE_SIZE, isPageSize } from '../../study/study-page.query.js';

/**
 * Refuses, before any call, an operation whose lists ask for too many studies together. Counts each list by its `size` as
 * graphql-js reads it, from variables and their defaults too; lists that a directive skips count like others.
 */
export function createListedStudiesLimit({
  maxListedStudies,
}: {
  readonly maxListedStudies: number;
}): ApolloServerPlugin {
  return {
    async requestDidStart() {
      return {
        async didResolveOperation({ schema, document, operation, request }) {
          if (operation?.operation !== OperationTypeNode.QUERY) return;
          const fields = [...findRootFields(document, operation).values()];
          const lists = fields.filter(({ name }) => name.value === 'studies');
          if (lists.length === 0) return;
          const { variableDefinitions = [] } = operation;
          const { coerced } = getVariableValues(
            schema,
            variableDefinitions,
            request.variables ?? {},
          );
          // Without `coerced`, graphql-js refuses the operation.
          if (!coerced) return;
          const sizes = lists.map((list) => readSize(list, coerced));
          if (sizes.reduce((sum, size) => sum + size, 0) > maxListedStudies)
            throw new ListedStudiesError(maxListedStudies);
        },
      };
    },
  };
}

/** Studies that a list may answer: none with a size that is refused. */
function readSize({ arguments: args = [] }: FieldNode, variables: Record<string, unknown>): number {
  const node = args.find(({ name }) => name.value === 'size')?.value;
  const size: unknown = valueFromAST(node, GraphQLInt, variables);
  if (typeof size !== 'number') return DEFAULT_PAGE_SIZE;
  return isPageSize(size) ? size : 0;
}

/** The lists of an operation ask for too many studies together. Nothing was sent. */
class ListedStudiesError extends GraphQLError {
  override readonly name = 'ListedStudiesError';

  constructor(max: number) {
    const message = `The lists of one operation may ask for ${max} studies together; a list without a size asks for ${DEFAULT_PAGE_SIZE}.`;
    super(message, {
      extensions: {
        code: 'BAD_USER_INPUT',
        outcome: 'NOT_SENT',
        retryable: false,
        fieldErrors: [{ path: ['size'], message }],
        http: { status: 400 },
      },
    });
  }
}
