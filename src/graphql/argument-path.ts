import {
  BREAK,
  Kind,
  visit,
  type ASTNode,
  type DocumentNode,
  type ObjectFieldNode,
  type OperationDefinitionNode,
  type SelectionSetNode,
  type ValueNode,
  type VariableDefinitionNode,
} from 'graphql';
import { toFragments } from './root-fields.js';

/** Path of a value in the arguments of a field, from the name of the argument: `["input", "audiences", 0]`. */
export type ArgumentPath = readonly (string | number)[];

/** A place in the arguments of a field. */
export interface ArgumentPlace {
  readonly node: ValueNode | ObjectFieldNode;
  readonly path: ArgumentPath;
}

/**
 * Returns the path of a value in the arguments of a field. A value in the default of a variable has the path of the
 * variable's first use. Returns `undefined` for a node of another kind, and for a value in a directive.
 */
export function findValuePath(document: DocumentNode, node: ASTNode): ArgumentPath | undefined {
  let found: ArgumentPath | undefined;
  const search = (value: ValueNode, path: ArgumentPath) => {
    walk(value, path, (place) => {
      if (place.node === node) found = place.path;
    });
    return found ? BREAK : false;
  };
  visit(document, {
    Directive: () => false,
    Argument: ({ name, value }) => search(value, [name.value]),
    VariableDefinition: (definition) =>
      definition.defaultValue &&
      search(
        definition.defaultValue,
        toVariablePath(definition, findFirstUse(document, definition)),
      ),
  });
  return found;
}

/** Returns the path of a variable: of its first use, or its own name if only directives use the variable. */
export function toVariablePath(
  { variable }: VariableDefinitionNode,
  firstUse: ArgumentPlace | undefined,
): ArgumentPath {
  return firstUse?.path ?? [variable.name.value];
}

/** Uses are kept, because one request can have an error for each of many variables. */
const usesOf = new WeakMap<OperationDefinitionNode, ReadonlyMap<string, ArgumentPlace>>();

/**
 * Returns the first place, in the order of execution, at which the arguments of an operation's fields use a variable.
 * Returns `undefined` for a variable that only directives use.
 */
export function findFirstUse(
  document: DocumentNode,
  definition: VariableDefinitionNode,
): ArgumentPlace | undefined {
  const operation = document.definitions
    .filter((node) => node.kind === Kind.OPERATION_DEFINITION)
    .find(({ variableDefinitions }) => variableDefinitions?.includes(definition));
  if (!operation) return undefined;
  const uses = usesOf.get(operation) ?? findFirstUses(document, operation);
  usesOf.set(operation, uses);
  return uses.get(definition.variable.name.value);
}

/** Returns the first use of each variable by its name. */
function findFirstUses(
  document: DocumentNode,
  { selectionSet }: OperationDefinitionNode,
): ReadonlyMap<string, ArgumentPlace> {
  const uses = new Map<string, ArgumentPlace>();
  const fragments = new Map(toFragments(document));
  const note = (place: ArgumentPlace): void => {
    if (place.node.kind !== Kind.VARIABLE || uses.has(place.node.name.value)) return;
    uses.set(place.node.name.value, place);
  };
  const collect = ({ selections }: SelectionSetNode): void => {
    for (const selection of selections) {
      if (selection.kind === Kind.FIELD)
        for (const { name, value } of selection.arguments ?? []) walk(value, [name.value], note);
      const inner =
        selection.kind === Kind.FRAGMENT_SPREAD ? fragments.get(selection.name.value) : selection;
      // A fragment that is spread again has the uses of its first spread.
      if (selection.kind === Kind.FRAGMENT_SPREAD) fragments.delete(selection.name.value);
      if (inner?.selectionSet) collect(inner.selectionSet);
    }
  };
  collect(selectionSet);
  return uses;
}

/** Calls `onPlace` with a value and all values in it. An entry of an object has the path of the object. */
function walk(value: ValueNode, path: ArgumentPath, onPlace: (place: ArgumentPlace) => void): void {
  onPlace({ node: value, path });
  if (value.kind === Kind.LIST)
    for (const [index, item] of value.values.entries()) walk(item, [...path, index], onPlace);
  if (value.kind === Kind.OBJECT)
    for (const field of value.fields) {
      onPlace({ node: field, path });
      walk(field.value, [...path, field.name.value], onPlace);
    }
}
