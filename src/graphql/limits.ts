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
/** Maximum number of lines of a document. graphql-js counts the lines in front of each error. */
const MAX_LINES = 1_000;
/** Maximum number of root fields of a query. Each is a REST call. */
const MAX_QUERY_FIELDS = 10;
/** Maximum length of a name in a response, in characters. A page repeats each name up to a hundred times. */
const MAX_NAME_LENGTH = 64;

type Definition = OperationDefinitionNode | FragmentDefinitionNode;
/** A field in a document, and the type that has it. */
type Use = Readonly<{ field: FieldNode; parent: GraphQLNamedType }>;

/**
 * Validation rule that bounds the cost of a document: its length, the root fields of each operation, and the names in the
 * response. Below the root, an operation may select a field of a type under one name only, so that its response
 * contains each value of an answer once. The rule visits each fragment once for each operation, which takes linear time.
 */
export function limitDocument(context: ValidationContext): ASTVisitor {
  const uses = new Map<Definition, Use[]>();
  let current: Use[] = [];
  const enter = (definition: Definition): void => void uses.set(definition, (current = []));
  // Adds the label of the metric of bounds.
  const refuse = (message: string, nodes: readonly ASTNode[]): void =>
    context.reportError(Object.assign(new GraphQLError(message, { nodes }), { bound: 'document' }));

  /** @param all fields of the operation and of its fragments */
  function limitOperation({ operation }: OperationDefinitionNode, all: readonly Use[]): void {
    const root = context.getSchema().getRootType(operation);
    const roots = new Map<string, FieldNode>();
    /** Response names below the root, by type and field: `Study.id`. */
    const names = new Map<string, string>();
    for (const { field, parent } of all) {
      const name = (field.alias ?? field.name).value;
      const place = `${parent.name}.${field.name.value}`;
      const first = names.get(place) ?? name;
      if (name.length > MAX_NAME_LENGTH)
        return refuse(
          `The response name "${name.slice(0, MAX_NAME_LENGTH)}…" has more than ${MAX_NAME_LENGTH} characters. Use a shorter alias.`,
          [field],
        );
      if (parent !== root) names.set(place, first);
      // Calls no resolver.
      else if (field.name.value !== '__typename') roots.set(name, field);
      if (first !== name)
        return refuse(
          `An operation can select ${place} under one name only, and this one has "${first}" and "${name}". ` +
            'Select the field once, and copy or rename its value in your program.',
          [field],
        );
    }
    const max = operation === OperationTypeNode.QUERY ? MAX_QUERY_FIELDS : MAX_MUTATION_FIELDS;
    if (roots.size > max)
      refuse(
        `The ${operation} has ${roots.size} root fields, and at most ${max} are allowed. Send the others in further requests.`,
        [[...roots.values()][max]!],
      );
  }

  return {
    OperationDefinition: enter,
    FragmentDefinition: enter,
    Field(field) {
      const parent = context.getParentType();
      // Another rule reports a field of no type.
      if (parent) current.push({ field, parent });
    },
    Document: {
      leave({ definitions, loc }) {
        if (loc && (loc.source.body.length > MAX_LENGTH || loc.endToken.line > MAX_LINES))
          refuse('The document has more than 20,000 characters or 1,000 lines. Use variables.', []);
        for (const operation of definitions) {
          if (operation.kind !== Kind.OPERATION_DEFINITION) continue;
          const fragments = context.getRecursivelyReferencedFragments(operation);
          const all = [operation, ...fragments].flatMap((definition) => uses.get(definition) ?? []);
          limitOperation(operation, all);
        }
      },
    },
  };
}
