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

const irregular = new Error('left to graphql-js');

/** Ends the planning of a document, or the coercion of a request's values: graphql-js executes the operation. */
export function doNotPlan(): never {
  throw irregular;
}

/** Returns the result of `run`. After `doNotPlan`, or the error of a scalar, which graphql-js meets again, returns `undefined`. */
export function ifPlanned<Result>(run: () => Result): Result | undefined {
  try {
    return run();
  } catch {
    return undefined;
  }
}

/** Error of a field or of an item of a list. Thrown to the nearest value that may be `null` if this one may not. */
export class Failure {
  constructor(
    readonly error: unknown,
    readonly nodes: readonly FieldNode[],
    /** Path from the value that is being completed. */
    readonly path: (string | number)[] = [],
  ) {}
}

/** Place of a value in the response: a field, or the items of a list. */
export interface Place {
  /**
   * Converts a value that a resolver returned, and that is not `null`, to the value in the response. Adds the failures of
   * nullable values inside to the list. Throws an error that makes the value itself `null`.
   */
  readonly complete: (value: unknown, failures: Failure[]) => unknown;
  readonly isNonNull: boolean;
  readonly nodes: readonly FieldNode[];
  /** Type and name of the field, for messages: `Study.id`. */
  readonly name: string;
}

/**
 * Completes the value of a field or of an item as graphql-js does. An error of a nullable value joins the failures, and the
 * value is `null`. Then adds `key` to the path of each failure that the value has added: without errors, this costs nothing.
 */
export function completeAt(
  place: Place,
  key: string | number,
  value: unknown,
  failures: Failure[],
): unknown {
  const before = failures.length;
  let completed: unknown = null;
  let isFailed = false;
  try {
    if (value instanceof Error) throw value;
    if (typeof value === 'function' || value instanceof Promise)
      throw new TypeError(`${place.name} is a function or a promise. A plan reads values only.`);
    if (value !== null && value !== undefined) completed = place.complete(value, failures);
    else if (place.isNonNull)
      throw new Error(`Cannot return null for non-nullable field ${place.name}.`);
  } catch (error) {
    isFailed = true;
    failures.push(error instanceof Failure ? error : new Failure(error, place.nodes));
  }
  for (let index = before; index < failures.length; index++) failures[index]!.path.unshift(key);
  if (isFailed && place.isNonNull) throw failures.pop();
  return completed;
}

/** Accepts the nodes of a plan for one object type. Refuses a directive, and another type condition. */
export function onlyOn(type: GraphQLObjectType) {
  return (node: SelectionNode | FragmentDefinitionNode): boolean => {
    const condition = 'typeCondition' in node ? node.typeCondition?.name.value : undefined;
    if (node.directives?.length || (condition ?? type.name) !== type.name) doNotPlan();
    return true;
  };
}

/** Returns the place of values of a type. Refuses a type that cannot be planned. */
export function planOutput(
  type: GraphQLOutputType,
  nodes: readonly FieldNode[],
  fragments: Fragments,
  name: string,
): Place {
  if (isNonNullType(type))
    return { ...planOutput(type.ofType, nodes, fragments, name), isNonNull: true };
  const toPlace = (complete: Place['complete']) => ({ complete, isNonNull: false, nodes, name });
  if (isListType(type)) {
    const item = planOutput(type.ofType, nodes, fragments, name);
    return toPlace((value, failures) => {
      if (typeof value !== 'object' || !(Symbol.iterator in Object(value)))
        throw new GraphQLError(`Expected Iterable, but did not find one for field "${name}".`);
      const items: readonly unknown[] = Array.isArray(value) ? value : Array.from(Object(value));
      return items.map((one, index) => completeAt(item, index, one, failures));
    });
  }
  if (isLeafType(type))
    return toPlace((value) => {
      const serialized: unknown = type.serialize(value);
      if (serialized !== null && serialized !== undefined) return serialized;
      throw new Error(`The scalar ${type.name} serialized a value of ${name} to null.`);
    });
  if (!isObjectType(type) || type.isTypeOf) return doNotPlan();
  return toPlace(planObject(type, nodes, fragments));
}

function planObject(
  type: GraphQLObjectType,
  nodes: readonly FieldNode[],
  fragments: Fragments,
): Place['complete'] {
  const collected = collectFields(nodes, fragments, onlyOn(type));
  const fields = Array.from(collected, ([key, nodes]) => {
    const property = nodes[0]!.name.value;
    if (property === '__typename') return [];
    const field = type.getFields()[property];
    // A plan only reads properties of objects. It calls no resolvers below root fields.
    if (!field || field.resolve || field.args.length > 0) return doNotPlan();
    const place = planOutput(field.type, nodes, fragments, `${type.name}.${property}`);
    return [{ key, property, place }];
  }).flat();
  // Only `__typename` keeps this value.
  const createObject = planShape([...collected.keys()], () => type.name);
  return (value, failures) => {
    // As for graphql-js, a value that is no object has no properties.
    const source: Readonly<Record<string, unknown>> =
      typeof value === 'object' ? Object(value) : {};
    const object = createObject();
    for (const { key, property, place } of fields)
      object[key] = completeAt(place, key, source[property], failures);
    return object;
  };
}

/**
 * Returns a function that creates objects with these keys and values; without `toValue`, each value is `null`. V8 copies such
 * an object in one step; an object that grows key by key becomes a slow hash table after its twelfth key.
 *
 * Refuses the key `__proto__`: assigning to this key would replace the prototype.
 */
export function planShape(
  keys: readonly string[],
  toValue: (key: string) => unknown = () => null,
): () => Record<string, unknown> {
  if (keys.includes('__proto__')) doNotPlan();
  const nulls = keys.map((key) => `${JSON.stringify(key)}:null`);
  // JSON.parse creates an object in V8's fast layout, even with many keys.
  const template: Record<string, unknown> = JSON.parse(`{${nulls.join(',')}}`);
  for (const key of keys) template[key] = toValue(key);
  return () => ({ ...template });
}
