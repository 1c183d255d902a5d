import {
  isInputObjectType,
  isInputType,
  isListType,
  isNonNullType,
  isRequiredInputField,
  Kind,
  OperationTypeNode,
  typeFromAST,
  valueFromAST,
  visit,
  type DocumentNode,
  type FieldNode,
  type GraphQLField,
  type GraphQLInputObjectType,
  type GraphQLInputType,
  type GraphQLSchema,
  type VariableDefinitionNode,
} from 'graphql';
import { boundRoots, type Resolve } from './root-resolvers.js';
import {
  collectFields,
  irregular,
  onlyOn,
  planOutput,
  planShape,
  type Complete,
  type Fragments,
} from './selection.plan.js';

type Values = Readonly<Record<string, unknown>>;
type Coerce = (value: unknown) => unknown;

/** Execution plan of a root field. */
export interface RootPlan {
  /** Name of the field in the response. */
  readonly key: string;
  readonly resolve: Resolve;
  readonly isNonNull: boolean;
  /** Nodes of the field in the document, from which errors get their locations. */
  readonly nodes: readonly FieldNode[];
  readonly toArgs: (variables: Values) => Record<string, unknown>;
  readonly complete: Complete;
}

export interface OperationPlan {
  /**
   * Coerces the variables of a request.
   *
   * @throws `irregular`, or an error of a scalar, on values that graphql-js may refuse
   */
  readonly coerce: (given: Values) => Values;
  /** Plans of the root fields, in the order of execution. */
  readonly roots: readonly RootPlan[];
  /** Creates the `data` of a response, with `null` for each root field. */
  readonly createData: () => Record<string, unknown>;
}

/** Plans a validated document; returns `undefined` for a document that graphql-js must execute. */
export function planDocument(
  schema: GraphQLSchema,
  document: DocumentNode,
): OperationPlan | undefined {
  const [operation, ...more] = document.definitions.filter(
    (definition) => definition.kind === Kind.OPERATION_DEFINITION,
  );
  if (!operation || more.length > 0 || operation.directives?.length) return undefined;
  const type = schema.getRootType(operation.operation);
  if (!type) return undefined;
  const fragments: Fragments = Object.fromEntries(
    document.definitions.flatMap((definition) =>
      definition.kind === Kind.FRAGMENT_DEFINITION ? [[definition.name.value, definition]] : [],
    ),
  );
  try {
    const collected = collectFields([operation.selectionSet], fragments, onlyOn(type));
    // graphql-js runs the root fields of a query concurrently; a plan would run them one after the other.
    if (operation.operation !== OperationTypeNode.MUTATION && collected.size > 1) return undefined;
    return {
      coerce: planVariables(schema, operation.variableDefinitions ?? []),
      roots: [...collected].map(([key, nodes]) => {
        const field = type.getFields()[nodes[0]!.name.value];
        const resolve = field && boundRoots.get(field);
        if (!resolve) throw irregular;
        return {
          key,
          resolve,
          isNonNull: isNonNullType(field.type),
          nodes,
          toArgs: planArguments(field, nodes[0]!),
          complete: planOutput(field.type, nodes, fragments),
        };
      }),
      createData: planShape([...collected.keys()]),
    };
  } catch (error) {
    if (error !== irregular) throw error;
    return undefined;
  }
}

/**
 * Returns a function that computes the arguments of a field from the variables. Literals are evaluated once, in advance. An
 * argument without a value gets its default, or is omitted if there is none.
 */
function planArguments(
  field: GraphQLField<unknown, unknown>,
  node: FieldNode,
): (variables: Values) => Record<string, unknown> {
  const fixed: Record<string, unknown> = {};
  const named: { name: string; variable: string; isRequired: boolean }[] = [];
  for (const { name, type, defaultValue } of field.args) {
    const value = node.arguments?.find((argument) => argument.name.value === name)?.value;
    if (value?.kind === Kind.VARIABLE) {
      if (defaultValue !== undefined) throw irregular;
      named.push({ name, variable: value.name.value, isRequired: isNonNullType(type) });
    } else if (value) {
      visit(value, {
        Variable: () => {
          throw irregular;
        },
      });
      const read: unknown = valueFromAST(value, type);
      if (read === undefined) throw irregular;
      fixed[name] = read;
    } else if (defaultValue !== undefined) fixed[name] = defaultValue;
    else if (isNonNullType(type)) throw irregular;
  }
  return (variables) => {
    const values = { ...fixed };
    for (const { name, variable, isRequired } of named) {
      // Without `hasOwn`, a missing variable `constructor` would have the value that every object inherits.
      const value = Object.hasOwn(variables, variable) ? variables[variable] : undefined;
      if (isRequired && (value === null || value === undefined)) throw irregular;
      if (value !== undefined) values[name] = value;
    }
    return values;
  };
}

/**
 * Returns a function that coerces an operation's variables as graphql-js does, but faster: it records no paths for
 * error messages. The function throws `irregular`, or an error of a scalar, on values that graphql-js may refuse.
 *
 * @throws `irregular` on a variable that cannot be planned
 */
function planVariables(
  schema: GraphQLSchema,
  definitions: readonly VariableDefinitionNode[],
): (given: Values) => Record<string, unknown> {
  const variables = definitions.map((definition) => {
    const type = typeFromAST(schema, definition.type);
    const name = definition.variable.name.value;
    // Assigning to `__proto__` would replace the prototype of `values`.
    if (!isInputType(type) || name === '__proto__') throw irregular;
    return {
      name,
      coerce: planInput(type),
      isRequired: isNonNullType(type),
      byDefault: definition.defaultValue && valueFromAST(definition.defaultValue, type),
    };
  });
  return (given) => {
    const values: Record<string, unknown> = {};
    for (const { name, coerce, isRequired, byDefault } of variables) {
      if (Object.hasOwn(given, name)) values[name] = coerce(given[name]);
      else if (byDefault !== undefined) values[name] = byDefault;
      else if (isRequired) throw irregular;
    }
    return values;
  };
}

/** Plans of input objects, which many documents share. */
const plans = new WeakMap<GraphQLInputObjectType, Coerce>();

function planInput(type: GraphQLInputType): Coerce {
  if (isNonNullType(type)) {
    const coerce = planInput(type.ofType);
    return (value) => {
      if (value === null || value === undefined) throw irregular;
      return coerce(value);
    };
  }
  if (isListType(type)) {
    const coerce = planInput(type.ofType);
    return (value) => {
      if (value === null || value === undefined) return null;
      // GraphQL accepts a single value for a list. This is rare, so it is left to graphql-js.
      if (!Array.isArray(value)) throw irregular;
      return value.map((item: unknown) => coerce(item));
    };
  }
  if (isInputObjectType(type)) {
    if (type.isOneOf) throw irregular;
    const plan = plans.get(type) ?? planInputObject(type);
    plans.set(type, plan);
    return plan;
  }
  return (value) => {
    if (value === null || value === undefined) return null;
    const parsed: unknown = type.parseValue(value);
    if (parsed === undefined) throw irregular;
    return parsed;
  };
}

/**
 * Returns a function that coerces input objects. The keys of the result have the order of the type's fields, as in
 * graphql-js. A field without a value and without a default is `undefined`.
 */
function planInputObject(type: GraphQLInputObjectType): Coerce {
  const byName = type.getFields();
  const fields = Object.values(byName).map((field) => {
    // Plan the field's type at its first use, because an input type may contain itself.
    let coerce: Coerce | undefined;
    return {
      name: field.name,
      coerce: (value: unknown) => (coerce ??= planInput(field.type))(value),
      isRequired: isRequiredInputField(field),
    };
  });
  const names = new Set(Object.keys(byName));
  const createObject = planShape([...names], (name) => byName[name]!.defaultValue);
  return (value) => {
    if (value === null || value === undefined) return null;
    if (typeof value !== 'object' || Array.isArray(value)) throw irregular;
    for (const name in value) if (!names.has(name)) throw irregular;
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- an object, by the lines above
    const given = value as Values;
    const coerced = createObject();
    for (const { name, coerce, isRequired } of fields)
      if (given[name] !== undefined) coerced[name] = coerce(given[name]);
      else if (isRequired) throw irregular;
    return coerced;
  };
}
