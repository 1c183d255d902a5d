import {
  getVariableValues,
  GraphQLInt,
  OperationTypeNode,
  valueFromAST,
  type DocumentNode,
  type FieldNode,
  type OperationDefinitionNode,
} from 'graphql';
import { findRootFields } from '../../graphql/root-fields.js';
import type { OperationListener } from '../../graphql/operation-listener.js';
import { NotSentError } from '../../not-sent.error.js';
import { DEFAULT_PAGE_SIZE, isPageSize } from '../../study/study-page.query.js';

/**
 * Creates a listener that refuses an operation before any REST call if its `studies` fields together request more than
 * `maxListedStudies` studies. Reads `size` as graphql-js does, including variables and their defaults. Fields that a
 * directive skips count too.
 */
export function createListedStudiesLimit({
  maxListedStudies,
}: {
  readonly maxListedStudies: number;
}): OperationListener {
  const listsOf = new WeakMap<OperationDefinitionNode, readonly FieldNode[]>();

  function findLists(document: DocumentNode, operation: OperationDefinitionNode) {
    const known = listsOf.get(operation);
    if (known) return known;
    const fields = [...findRootFields(document, operation).values()];
    const lists = fields.filter(({ name }) => name.value === 'studies');
    listsOf.set(operation, lists);
    return lists;
  }

  return {
    async didResolveOperation({ schema, document, operation, request: { variables = {} } }) {
      if (operation?.operation !== OperationTypeNode.QUERY) return;
      const lists = findLists(document, operation);
      if (lists.length === 0) return;
      const { coerced } = getVariableValues(schema, operation.variableDefinitions ?? [], variables);
      // Without `coerced`, a variable is invalid, and graphql-js refuses the operation.
      if (!coerced) return;
      const sizes = lists.map((list) => readSize(list, coerced));
      if (sizes.reduce((sum, size) => sum + size, 0) > maxListedStudies)
        throw new ListedStudiesError(maxListedStudies, lists);
    },
  };
}

/** Returns the number of studies that a `studies` field requests; 0 if its `size` is out of range and thus refused. */
function readSize({ arguments: args = [] }: FieldNode, variables: Record<string, unknown>): number {
  const node = args.find(({ name }) => name.value === 'size')?.value;
  const size: unknown = valueFromAST(node, GraphQLInt, variables);
  if (typeof size !== 'number') return DEFAULT_PAGE_SIZE;
  return isPageSize(size) ? size : 0;
}

/** The `studies` fields of an operation together request too many studies. */
class ListedStudiesError extends NotSentError {
  override readonly name = 'ListedStudiesError';

  constructor(max: number, lists: readonly FieldNode[]) {
    const message = `The lists of one operation may ask for ${max} studies together; a list without a size asks for ${DEFAULT_PAGE_SIZE}.`;
    const extensions = {
      code: 'BAD_USER_INPUT',
      retryable: false,
      fieldErrors: [{ path: ['size'], message }],
      http: { status: 400 },
    };
    super(message, extensions, lists);
  }
}
