import {
  isLeafType,
  isListType,
  isNonNullType,
  isObjectType,
  Kind,
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLObjectType,
  type GraphQLOutputType,
  type GraphQLResolveInfo,
  type SelectionNode,
  type SelectionSetNode,
} from 'graphql';

/** Thrown by a plan to leave a value or a document to graphql-js: where there is an error, and in cases too rare to plan. */
export const irregular = new Error('left to graphql-js');

/**
 * Returns a function that creates objects with these keys and values; without `toValue`, each value is `null`. V8 copies such
 * an object in one step; an object that grows key by key becomes a slow hash table after its twelfth key.
 *
 * @throws `irregular` on the key `__proto__`: assigning to this key would replace the prototype
 */
export function planShape(
  keys: readonly string[],
  toValue: (key: string) => unknown = () => null,
): () => Record<string, unknown> {
  if (keys.includes('__proto__')) throw irregular;
  const nulls = keys.map((key) => `${JSON.stringify(key)}:null`);
  // JSON.parse creates an object in V8's fast layout, even with many keys.
  const template: Record<string, unknown> = JSON.parse(`{${nulls.join(',')}}`);
  for (const key of keys) template[key] = toValue(key);
  return () => ({ ...template });
}

export type Fragments = GraphQLResolveInfo['fragments'];
/** Returns the fragments of a document by name. */
export function toFragments({ definitions }: DocumentNode): Fragments {
  const fragments = definitions.filter((node) => node.kind === Kind.FRAGMENT_DEFINITION);
  return Object.fromEntries(fragments.map((fragment) => [fragment.name.value, fragment]));
}

/** Converts a value that a resolver returned to the value in the response. */
export type Complete = (value: unknown) => unknown;

/**
 * Collects the fields of selection sets, grouped by response name. Visits each fragment once, even if it is spread several
 * times, so the cost is linear in the length of the document.
 *
 * @param isIncluded decides on each selection, and on the definition of each fragment
 */
export function collectFields(
  selectionSets: readonly (SelectionSetNode | undefined)[],
  fragments: Fragments,
  isIncluded: (node: SelectionNode | FragmentDefinitionNode) => boolean,
): Map<string, FieldNode[]> {
  const fields = new Map<string, FieldNode[]>();
  const visited = new Set<string>();
  const collect = ({ selections }: SelectionSetNode): void => {
    for (const selection of selections) {
      if (!isIncluded(selection)) continue;
      if (selection.kind === Kind.FIELD) {
        const key = (selection.alias ?? selection.name).value;
        const nodes = fields.get(key);
        if (nodes) nodes.push(selection);
        else fields.set(key, [selection]);
      } else if (selection.kind === Kind.INLINE_FRAGMENT) collect(selection.selectionSet);
      else if (!visited.has(selection.name.value)) {
        visited.add(selection.name.value);
        const fragment = fragments[selection.name.value];
        if (fragment && isIncluded(fragment)) collect(fragment.selectionSet);
      }
    }
  };
  for (const selectionSet of selectionSets) if (selectionSet) collect(selectionSet);
  return fields;
}

/** Accepts the nodes of a plan for one object type. Throws `irregular` on a directive, and on another type condition. */
export function onlyOn(type: GraphQLObjectType) {
  return (node: SelectionNode | FragmentDefinitionNode): boolean => {
    const condition = 'typeCondition' in node ? node.typeCondition?.name.value : undefined;
    if (node.directives?.length || (condition ?? type.name) !== type.name) throw irregular;
    return true;
  };
}

/**
 * Returns the function that completes values of one type. The function throws `irregular`, or an error of a scalar, on
 * every value for which graphql-js would report an error.
 *
 * @throws `irregular` on a type that cannot be planned
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

function planObject(
  type: GraphQLObjectType,
  nodes: readonly FieldNode[],
  fragments: Fragments,
): Complete {
  const selectionSets = nodes.map(({ selectionSet }) => selectionSet);
  const fields = [...collectFields(selectionSets, fragments, onlyOn(type))].map(([key, nodes]) => {
    const name = nodes[0]!.name.value;
    if (name === '__typename') return { key, name, complete: () => type.name };
    const field = type.getFields()[name];
    // A plan only reads properties of objects. It calls no resolvers below root fields.
    if (!field || field.resolve || field.args.length > 0) throw irregular;
    return { key, name, complete: planOutput(field.type, nodes, fragments) };
  });
  const createObject = planShape(fields.map(({ key }) => key));
  return (value) => {
    if (value === null || value === undefined) return null;
    if (typeof value !== 'object' || value instanceof Error) throw irregular;
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- an object, by the line above
    const source = value as Readonly<Record<string, unknown>>;
    const object = createObject();
    for (const { key, name, complete } of fields) object[key] = complete(source[name]);
    return object;
  };
}
