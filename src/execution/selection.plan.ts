import {
  isLeafType,
  isListType,
  isNonNullType,
  isObjectType,
  Kind,
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLObjectType,
  type GraphQLOutputType,
  type SelectionSetNode,
} from 'graphql';
import { compile } from './compile.js';
import { irregular } from './irregular.js';

export type Fragments = ReadonlyMap<string, FragmentDefinitionNode>;
/** What a resolver returned, as it stands in the response. */
export type Complete = (value: unknown) => unknown;

/** The fields of selection sets of one object type, by response name. Directives are left to graphql-js. */
export function collectFields(
  type: GraphQLObjectType,
  sets: readonly (SelectionSetNode | undefined)[],
  fragments: Fragments,
  fields = new Map<string, FieldNode[]>(),
): Map<string, FieldNode[]> {
  for (const selection of sets.flatMap((set) => set?.selections ?? [])) {
    if (selection.directives?.length) throw irregular;
    if (selection.kind === Kind.FIELD) {
      const name = (selection.alias ?? selection.name).value;
      // In an object literal it would be the prototype.
      if (name === '__proto__') throw irregular;
      fields.set(name, [...(fields.get(name) ?? []), selection]);
      continue;
    }
    const fragment =
      selection.kind === Kind.FRAGMENT_SPREAD ? fragments.get(selection.name.value) : selection;
    const condition = fragment?.typeCondition?.name.value ?? type.name;
    if (!fragment || fragment.directives?.length || condition !== type.name) throw irregular;
    collectFields(type, [fragment.selectionSet], fragments, fields);
  }
  return fields;
}

/**
 * How a value of this type is completed. The result throws `irregular`, or what a scalar throws, on every value
 * that graphql-js would make an error of; so an answer that it completes has none.
 */
export function planOutput(
  type: GraphQLOutputType,
  nodes: readonly FieldNode[],
  fragments: Fragments,
): Complete {
  if (isNonNullType(type)) {
    const complete = planOutput(type.ofType, nodes, fragments);
    return (value) => {
      const completed = complete(value);
      if (completed === null) throw irregular;
      return completed;
    };
  }
  if (isListType(type)) {
    const complete = planOutput(type.ofType, nodes, fragments);
    return (value) => {
      if (value === null || value === undefined) return null;
      if (!Array.isArray(value)) throw irregular;
      return value.map((item: unknown) => complete(item));
    };
  }
  if (isLeafType(type))
    return (value) => {
      if (value === null || value === undefined) return null;
      if (value instanceof Error || typeof value === 'function') throw irregular;
      const serialized: unknown = type.serialize(value);
      if (serialized === null || serialized === undefined) throw irregular;
      return serialized;
    };
  if (!isObjectType(type) || type.isTypeOf) throw irregular;
  return planObject(type, nodes, fragments);
}

/** Documents that select the same share the node, and so the plan unless a fragment says what it means. */
const plans = new WeakMap<GraphQLObjectType, WeakMap<SelectionSetNode, Complete>>();

function planObject(
  type: GraphQLObjectType,
  nodes: readonly FieldNode[],
  fragments: Fragments,
): Complete {
  const { selectionSet } = nodes[0]!;
  if (!selectionSet || nodes.length > 1 || fragments.size > 0)
    return createObjectPlan(type, nodes, fragments);
  const ofType = plans.get(type) ?? new WeakMap<SelectionSetNode, Complete>();
  plans.set(type, ofType);
  const plan = ofType.get(selectionSet) ?? createObjectPlan(type, nodes, fragments);
  ofType.set(selectionSet, plan);
  return plan;
}

function createObjectPlan(
  type: GraphQLObjectType,
  nodes: readonly FieldNode[],
  fragments: Fragments,
): Complete {
  const sets = nodes.map(({ selectionSet }) => selectionSet);
  const fields = [...collectFields(type, sets, fragments)].map(([key, nodes]) => {
    const name = nodes[0]!.name.value;
    if (name === '__typename') return { key, name, complete: () => type.name };
    const field = type.getFields()[name];
    // A field that is more than a property of its object.
    if (!field || field.resolve || field.args.length > 0) throw irregular;
    return { key, name, complete: planOutput(field.type, nodes, fragments) };
  });
  const members = fields.map(({ key, name }, index) => `${key}: complete${index}(object.${name})`);
  const read = compile(
    `return { ${members.join(', ')} };`,
    fields.flatMap(({ key, name }) => [key, name]),
    Object.fromEntries(fields.map(({ complete }, index) => [`complete${index}`, complete])),
  );
  return (value) => {
    if (value === null || value === undefined) return null;
    if (typeof value !== 'object' || value instanceof Error) throw irregular;
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- an object, by the line above
    return read(value as Readonly<Record<string, unknown>>);
  };
}
