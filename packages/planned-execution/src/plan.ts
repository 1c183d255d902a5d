import {
  isNonNullType,
  Kind,
  OperationTypeNode,
  valueFromAST,
  visit,
  type DocumentNode,
  type FieldNode,
  type GraphQLField,
  type GraphQLSchema,
} from 'graphql';
import { planVariables } from './variables.js';
import { boundRoots, type Resolve } from './root.js';
import {
  collectFields,
  irregular,
  onlyOn,
  planOutput,
  planShape,
  toFragments,
  type Complete,
} from './selection.js';
import { coerceVariables } from './refusals.js';

type Values = Readonly<Record<string, unknown>>;

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
   * @throws `irregular` on a value that does not fit
   */
  readonly coerce: (given: Values) => Values;
  /** Plans of the root fields, in the order of execution. */
  readonly roots: readonly RootPlan[];
  /** Creates the `data` of a response, with `null` for each root field. */
  readonly createData: () => Record<string, unknown>;
}

const refuse = (): never => {
  throw irregular;
};

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
  const fragments = toFragments(document);
  // Assigning to `__proto__` would replace the prototype of the variables' values.
  if (operation.variableDefinitions?.some(({ variable }) => variable.name.value === '__proto__'))
    return undefined;
  try {
    const plannedVariables = planVariables(schema, operation);
    const collected = collectFields([operation.selectionSet], fragments, onlyOn(type));
    // graphql-js runs the root fields of a query concurrently; a plan would run them one after the other.
    if (operation.operation !== OperationTypeNode.MUTATION && collected.size > 1) return undefined;
    return {
      coerce: (given) =>
        plannedVariables(given) ?? coerceVariables(schema, operation, given, refuse),
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
