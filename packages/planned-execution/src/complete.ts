import {
  GraphQLError,
  isLeafType,
  isListType,
  isNonNullType,
  isObjectType,
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLObjectType,
  type GraphQLOutputType,
  type SelectionNode,
} from 'graphql';
import { collectFields, type Fragments } from './selection.js';
import { planShape, refuse } from './shape.js';

/** Error of a field or of an item of a list. Thrown to the nearest value that may be `null` if this one may not. */
export class Failure {
  constructor(
    readonly error: unknown,
    readonly nodes: readonly FieldNode[],
    /** Path from the value that is being completed. */
    readonly path: (string | number)[] = [],
  ) {}
}

/**
 * Converts a value that a resolver returned to the value in the response. Adds the failures of nullable fields and items to
 * the list. Throws an error that makes the value itself `null`.
 */
export type Complete = (value: unknown, failures: Failure[]) => unknown;

/** Place of a value in the response. */
export interface Place {
  readonly complete: Complete;
  readonly nodes: readonly FieldNode[];
  readonly isNonNull: boolean;
}

/**
 * Completes the value of a field or of an item. An error of a nullable value joins the failures, and the value is `null`.
 * Then adds `key` to the path of each failure that the value has added, so that a value without errors has no costs.
 */
export function completeAt(
  { complete, nodes, isNonNull }: Place,
  key: string | number,
  value: unknown,
  failures: Failure[],
): unknown {
  const before = failures.length;
  let completed: unknown = null;
  let isFailed = false;
  try {
    completed = complete(value, failures);
  } catch (error) {
    isFailed = true;
    failures.push(error instanceof Failure ? error : new Failure(error, nodes));
  }
  for (let index = before; index < failures.length; index++) failures[index]!.path.unshift(key);
  if (isFailed && isNonNull) throw failures.pop();
  return completed;
}

/** Accepts the nodes of a plan for one object type. Refuses a directive, and another type condition. */
export function onlyOn(type: GraphQLObjectType) {
  return (node: SelectionNode | FragmentDefinitionNode): boolean => {
    const condition = 'typeCondition' in node ? node.typeCondition?.name.value : undefined;
    if (node.directives?.length || (condition ?? type.name) !== type.name) refuse();
    return true;
  };
}

/**
 * Returns the function that completes the values of a field as graphql-js does. Refuses a type that cannot be planned.
 *
 * @param name type and name of the field, for messages: `Study.id`
 */
export function planOutput(
  type: GraphQLOutputType,
  nodes: readonly FieldNode[],
  fragments: Fragments,
  name: string,
): Complete {
  if (isNonNullType(type)) {
    const complete = planOutput(type.ofType, nodes, fragments, name);
    return (value, failures) => {
      const completed = complete(value, failures);
      if (completed !== null) return completed;
      throw new Error(`Cannot return null for non-nullable field ${name}.`);
    };
  }
  let complete: Complete;
  if (isListType(type)) {
    const isNonNull = isNonNullType(type.ofType);
    const item = { complete: planOutput(type.ofType, nodes, fragments, name), nodes, isNonNull };
    complete = (value, failures) => {
      if (typeof value !== 'object' || !(Symbol.iterator in Object(value)))
        throw new GraphQLError(`Expected Iterable, but did not find one for field "${name}".`);
      const items: Iterable<unknown> = Object(value);
      return Array.from(items, (value, index) => completeAt(item, index, value, failures));
    };
  } else if (isLeafType(type))
    complete = (value) => {
      const serialized: unknown = type.serialize(value);
      if (serialized !== null && serialized !== undefined) return serialized;
      throw new Error(`The scalar ${type.name} serialized a value of ${name} to null.`);
    };
  else if (isObjectType(type) && !type.isTypeOf) complete = planObject(type, nodes, fragments);
  else return refuse();
  return (value, failures) => {
    if (value === null || value === undefined) return null;
    if (value instanceof Error) throw value;
    if (typeof value === 'function' || value instanceof Promise)
      throw new TypeError(`${name} is a function or a promise. A plan reads values only.`);
    return complete(value, failures);
  };
}

function planObject(
  type: GraphQLObjectType,
  nodes: readonly FieldNode[],
  fragments: Fragments,
): Complete {
  const fields = [...collectFields(nodes, fragments, onlyOn(type))].map(([key, nodes]) => {
    const name = nodes[0]!.name.value;
    if (name === '__typename')
      return { key, name, nodes, isNonNull: false, complete: () => type.name };
    const field = type.getFields()[name];
    // A plan only reads properties of objects. It calls no resolvers below root fields.
    if (!field || field.resolve || field.args.length > 0) return refuse();
    const complete = planOutput(field.type, nodes, fragments, `${type.name}.${name}`);
    return { key, name, nodes, isNonNull: isNonNullType(field.type), complete };
  });
  const createObject = planShape(fields.map(({ key }) => key));
  return (value, failures) => {
    // As for graphql-js, a value that is no object has no properties.
    const source: Readonly<Record<string, unknown>> =
      typeof value === 'object' ? Object(value) : {};
    const object = createObject();
    for (const field of fields)
      object[field.key] = completeAt(field, field.key, source[field.name], failures);
    return object;
  };
}
