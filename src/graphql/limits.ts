import {
  GraphQLError,
  Kind,
  OperationTypeNode,
  type ASTNode,
  type ASTVisitor,
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLNamedType,
  type OperationDefinitionNode,
  type ValidationContext,
} from 'graphql';
import { MAX_MUTATION_FIELDS } from '../config/config.js';

/** Maximum number of tokens of a document, for the parser. */
export const MAX_TOKENS = 1_000;
/** Maximum length of a document, in characters. A document of 1,000 tokens with its values in variables is far shorter. */
const MAX_LENGTH = 20_000;
/** Maximum number of root fields of a query. Each is a REST call. */
const MAX_QUERY_FIELDS = 10;
/** Maximum length of a name in a response, in characters. A page repeats each name up to a hundred times. */
const MAX_NAME_LENGTH = 64;

type Definition = OperationDefinitionNode | FragmentDefinitionNode;
/** A field in a document, and the type that has it. */
type Use = Readonly<{ field: FieldNode; parent: GraphQLNamedType }>;

/** Creates an error with the label of the metric of bounds. */
function toLimitError(message: string, nodes: readonly ASTNode[] = []): GraphQLError {
  return Object.assign(new GraphQLError(message, { nodes }), { bound: 'document' });
}

/**
 * Validation rule that bounds the cost of a document: its length, the root fields of each operation, and the names in the
 * response. Below the root, an operation may select a field of a type under one name only, so that its response
 * contains each value of an answer once. The rule visits each fragment once for each operation, which takes linear time.
 */
export function limitDocument(context: ValidationContext): ASTVisitor {
  const uses = new Map<Definition, Use[]>();
  let current: Use[] = [];
  const enter = (definition: Definition): void => void uses.set(definition, (current = []));

  return {
    OperationDefinition: enter,
    FragmentDefinition: enter,
    Field(field) {
      const parent = context.getParentType();
      // Another rule reports a field of no type.
      if (parent) current.push({ field, parent });
    },
    Document: {
      enter({ loc }) {
        if (loc && loc.source.body.length > MAX_LENGTH)
          context.reportError(
            toLimitError(
              `The document has more than ${MAX_LENGTH.toLocaleString('en')} characters. Pass values as variables.`,
            ),
          );
      },
      leave({ definitions }) {
        for (const operation of definitions) {
          if (operation.kind !== Kind.OPERATION_DEFINITION) continue;
          const fragments = context.getRecursivelyReferencedFragments(operation);
          const all = [operation, ...fragments].flatMap((definition) => uses.get(definition) ?? []);
          const error = findBrokenLimit(all, operation, context);
          if (error) context.reportError(error);
        }
      },
    },
  };
}

/** @param uses fields of the operation and of its fragments */
function findBrokenLimit(
  uses: readonly Use[],
  { operation }: OperationDefinitionNode,
  context: ValidationContext,
): GraphQLError | undefined {
  const root = context.getSchema().getRootType(operation);
  const roots = new Map<string, FieldNode>();
  const known = new Map<GraphQLNamedType, Map<string, FieldNode>>();
  for (const { field, parent } of uses) {
    const key = toKey(field);
    if (key.length > MAX_NAME_LENGTH)
      return toLimitError(
        `The response name "${key.slice(0, MAX_NAME_LENGTH)}…" has more than ${MAX_NAME_LENGTH} characters. Use a shorter alias.`,
        [field],
      );
    if (parent === root) {
      // Calls no resolver.
      if (field.name.value !== '__typename') roots.set(key, field);
      continue;
    }
    const ofType = known.get(parent) ?? new Map<string, FieldNode>();
    known.set(parent, ofType);
    const first = ofType.get(field.name.value) ?? field;
    ofType.set(field.name.value, first);
    if (toKey(first) !== key)
      return toLimitError(
        `An operation can select ${parent.name}.${field.name.value} under one name only, and this one has "${toKey(first)}" and "${key}". ` +
          'Select the field once, and copy or rename its value in your program.',
        [first, field],
      );
  }
  const max = operation === OperationTypeNode.QUERY ? MAX_QUERY_FIELDS : MAX_MUTATION_FIELDS;
  if (roots.size <= max) return undefined;
  return toLimitError(
    `The ${operation} has ${roots.size} root fields, and at most ${max} are allowed. Send the others in further requests.`,
    [[...roots.values()][max]!],
  );
}

function toKey({ alias, name }: FieldNode): string {
  return (alias ?? name).value;
}
