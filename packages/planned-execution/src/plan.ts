import type { BaseContext } from '@apollo/server';
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
import { onlyOn, planOutput, type Place } from './complete.js';
import { collectFields, toFragments } from './selection.js';
import { planShape, doNotPlan, ifPlanned } from './shape.js';
import { createVariablePlanner } from './variables.js';

type Values = Readonly<Record<string, unknown>>;

/** Runs a root field, and returns its result: usually a promise. `name` is the field's response name. */
export type Run<Context extends BaseContext = BaseContext> = (
  args: Values,
  context: Context,
  name: string,
) => unknown;

/**
 * Makes `run` the resolver of a root field, which plans call without graphql-js. `run` must return a value without functions
 * and promises inside. An `Error` inside the value is the error of the field or of the item whose place it takes.
 */
export function bindRoot<Context extends BaseContext>(
  field: GraphQLField<unknown, Context>,
  run: Run<Context>,
): void {
  const resolve: NonNullable<typeof field.resolve> = (_, args, context, info) =>
    run(args, context, String(info.path.key));
  field.resolve = Object.assign(resolve, { run });
}

/** Execution plan of a root field. */
interface RootPlan {
  /** Name of the field in the response. */
  readonly key: string;
  readonly run: Run;
  /** Is nullable. */
  readonly place: Place;
}

export interface OperationPlan {
  /** Returns the calls of root fields in their order, or `undefined` if a value of the request does not fit. */
  readonly toCalls: (given: Values) => readonly { root: RootPlan; args: Values }[] | undefined;
  /** Creates the `data` of a response, with `null` for each root field. */
  readonly createData: () => Record<string, unknown>;
}

/** Returns a function that plans validated documents. It returns `undefined` for a document that graphql-js must execute. */
export function createPlanner(schema: GraphQLSchema) {
  const planVariables = createVariablePlanner(schema);

  function planDocument(document: DocumentNode): OperationPlan {
    const [operation, ...more] = document.definitions.filter(
      (definition) => definition.kind === Kind.OPERATION_DEFINITION,
    );
    const type = operation && schema.getRootType(operation.operation);
    if (!type || more.length > 0 || operation.directives?.length) return doNotPlan();
    const fragments = toFragments(document);
    const coerce = planVariables(operation);
    const collected = collectFields([operation], fragments, onlyOn(type));
    // graphql-js runs the root fields of a query concurrently; a plan would run them one after the other.
    if (operation.operation !== OperationTypeNode.MUTATION && collected.size > 1) doNotPlan();
    const roots = Array.from(collected, ([key, nodes]) => {
      const field = type.getFields()[nodes[0]!.name.value];
      // What `bindRoot` has bound to the field; undefined for another resolver.
      const { run }: { run?: Run } = Object(field?.resolve);
      // The error of a non-null root field makes `data` null, and ends the operation.
      if (!field || !run || isNonNullType(field.type)) return doNotPlan();
      const place = planOutput(field.type, nodes, fragments, `${type.name}.${field.name}`);
      return { key, run, place, toArgs: planArguments(field, nodes[0]!) };
    });
    return {
      toCalls: (given) =>
        ifPlanned(() => {
          const variables = coerce(given);
          return roots.map((root) => ({ root, args: root.toArgs(variables) }));
        }),
      createData: planShape([...collected.keys()]),
    };
  }

  return (document: DocumentNode): OperationPlan | undefined =>
    ifPlanned(() => planDocument(document));
}

/**
 * Returns a function that computes the arguments of a field from the variables. Literals are evaluated once, in advance. An
 * argument without a value gets its default, or is omitted if there is none.
 */
function planArguments(
  field: GraphQLField<unknown, unknown>,
  node: FieldNode,
): (variables: Values) => Values {
  const args = field.args.map(({ name, type, defaultValue }) => {
    const value = node.arguments?.find((argument) => argument.name.value === name)?.value;
    if (value?.kind !== Kind.VARIABLE) {
      if (value) visit(value, { Variable: doNotPlan });
      const fixed: unknown = value ? valueFromAST(value, type) : defaultValue;
      if (fixed === undefined && (value || isNonNullType(type))) doNotPlan();
      return { name, read: () => fixed };
    }
    if (defaultValue !== undefined) doNotPlan();
    const variable = value.name.value;
    const read = (variables: Values): unknown => {
      // Without `hasOwn`, a missing variable `constructor` would have the value that every object inherits.
      const given = Object.hasOwn(variables, variable) ? variables[variable] : undefined;
      return isNonNullType(type) ? (given ?? doNotPlan()) : given;
    };
    return { name, read };
  });
  return (variables) => {
    const values: Record<string, unknown> = {};
    for (const { name, read } of args) {
      const value = read(variables);
      if (value !== undefined) values[name] = value;
    }
    return values;
  };
}
