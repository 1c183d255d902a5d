import {
  GraphQLInt,
  Kind,
  OperationTypeNode,
  valueFromAST,
  type FieldNode,
  type OperationDefinitionNode,
  type ValueNode,
} from 'graphql';
import type { Config } from '../../config/config.js';
import { findRootFields } from '../../graphql/root-fields.js';
import type { OperationListener } from '../../graphql/operation-listener.js';
import { Refusal } from '../../errors/refusal.js';
import { DEFAULT_PAGE_SIZE, isPageSize } from '../../study/study-page.js';

/**
 * Creates a listener that refuses an operation before any REST call if its `studies` fields together request more than
 * `maxListedStudies` studies. Reads `size` as graphql-js does, including variables and their defaults, but
 * coerces no other variable. Fields that a directive skips count too.
 */
export function createListedStudiesLimit(limits: Config['limits']): OperationListener {
  const { maxListedStudies } = limits;
  return {
    didResolveOperation({ document, operation, request: { variables = {} } }) {
      if (operation?.operation !== OperationTypeNode.QUERY) return;
      const fields = [...findRootFields(document, operation).values()];
      const lists = fields.filter(({ name }) => name.value === 'studies');
      const sizes = lists.map((list) => readSize(list, operation, variables));
      const asked = sizes.reduce((sum, size) => sum + size, 0);
      if (asked > maxListedStudies) throw refused(asked, maxListedStudies, lists);
    },
  };
}

/** Returns the number of studies that a `studies` field requests; 0 if its `size` is invalid and thus refused later. */
function readSize(
  { arguments: args = [] }: FieldNode,
  operation: OperationDefinitionNode,
  given: Readonly<Record<string, unknown>>,
): number {
  const argument = args.find(({ name }) => name.value === 'size');
  const size = readInt(argument?.value, operation, given) ?? DEFAULT_PAGE_SIZE;
  return typeof size === 'number' && isPageSize(size) ? size : 0;
}

/** Returns the value of an `Int` argument as graphql-js does, but leaves the value of a variable as it was sent. */
function readInt(
  node: ValueNode | undefined,
  { variableDefinitions = [] }: OperationDefinitionNode,
  given: Readonly<Record<string, unknown>>,
): unknown {
  if (node?.kind !== Kind.VARIABLE) return valueFromAST(node, GraphQLInt);
  const name = node.name.value;
  if (Object.hasOwn(given, name)) return given[name];
  const definition = variableDefinitions.find(({ variable }) => variable.name.value === name);
  return valueFromAST(definition?.defaultValue, GraphQLInt);
}

function refused(asked: number, max: number, nodes: readonly FieldNode[]): Refusal {
  const message = `The lists of one operation ask for ${asked} studies together, and at most ${max} are allowed; a list without a size asks for ${DEFAULT_PAGE_SIZE}.`;
  return new Refusal('BAD_USER_INPUT', message, {
    path: ['size'],
    status: 400,
    nodes,
    bound: 'listed_studies',
  });
}
