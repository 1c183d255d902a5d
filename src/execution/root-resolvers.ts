import {
  defaultFieldResolver,
  isObjectType,
  type GraphQLField,
  type GraphQLOutputType,
  type GraphQLResolveInfo,
  type GraphQLSchema,
} from 'graphql';
import { bindRoot, withinErrors, type Resolve as ResolveIn } from 'planned-execution';
import { getMetadataStorage } from 'type-graphql';

// oxlint-disable-next-line typescript/no-explicit-any -- graphql-js's own type of a schema's fields
type RootField = GraphQLField<unknown, any>;
type Handler = ReturnType<typeof getMetadataStorage>['queries'][number];
type Parameter = NonNullable<Handler['params']>[number];
/** The part of an operation's context that its root fields need. */
export interface RootContext {
  readonly ledger: {
    /** Begins the step of a root field. */
    begin(name: string, mayWrite: boolean): unknown;
  };
  /** Returns the context for the resolver of a root field, from its step. */
  at(step: unknown): object;
}

/** Runs the method of a root field, and returns its result: usually a promise. */
export type Resolve = ResolveIn<RootContext>;

/** A field with a resolver, as a {@link Gate} knows it. */
interface GatedField {
  /** `createStudy`; below a root field with the name of the type: `Study.title`. */
  readonly operation: string;
  readonly type: GraphQLOutputType;
  readonly isRoot: boolean;
}

/** Returns a `Resolve` that runs `resolve` if the caller may, and shows of the result what the caller may see. */
export type Gate = (field: GatedField, resolve: Resolve) => Resolve;

/** Options that a program adds to the fields of a schema. */
export interface RootOptions {
  /** Resolver classes that type-graphql calls, so that they may use all of it. No plan has their fields. */
  readonly added?: readonly (new () => object)[] | undefined;
  /** Stands before every resolver. Default: every caller may do everything. */
  readonly gate?: Gate | undefined;
}

/**
 * Replaces the resolvers of a schema's root fields, which no other code does. Each root field calls its method of a resolver class
 * with the arguments that graphql-js has coerced: type-graphql would first copy each input into an instance of its class,
 * which no resolver needs. `@Ctx()` is the context of the root field, `context.at(step)`, so a resolver cannot make a call
 * in the name of another field. A result with more errors than a response has room for becomes one error.
 *
 * @param resolvers instances of the resolver classes of the schema
 * @throws Error when a root field has no resolver here or two, or a decorator that a direct call would ignore, such as `@Authorized`
 */
export function bindRoots(
  schema: GraphQLSchema,
  resolvers: readonly object[],
  { added = [], gate = (_, resolve) => resolve }: RootOptions = {},
): void {
  assertPlainFields();
  const { queries, mutations } = getMetadataStorage();
  const known = new Map<unknown, object | undefined>([
    ...added.map((added) => [added, undefined] as const),
    ...resolvers.map((own) => [own.constructor, own] as const),
  ]);
  for (const [type, handlers] of [
    [schema.getQueryType(), queries],
    [schema.getMutationType(), mutations],
  ] as const)
    for (const field of Object.values(type?.getFields() ?? {})) {
      const [handler, ...others] = handlers.filter(
        ({ schemaName, target }) => schemaName === field.name && known.has(target),
      );
      if (!handler) throw new Error(`${field.name} has no resolver`);
      if (others.length > 0) throw new Error(`${field.name} has two resolvers`);
      const mayWrite = handlers === mutations;
      const gated = { operation: field.name, type: field.type, isRoot: true };
      const own = known.get(handler.target);
      if (own) bindRoot(field, gate(gated, toResolve(handler, own, mayWrite)));
      else bindAdded(field, gated, mayWrite, gate);
    }
  bindFields(schema, gate);
}

/** Binds the fields below root fields that have a `@FieldResolver`. They may only read. */
function bindFields(schema: GraphQLSchema, gate: Gate): void {
  const { fieldResolvers } = getMetadataStorage();
  const names = new Set(fieldResolvers.map(({ schemaName }) => schemaName));
  const types = Object.values(schema.getTypeMap()).filter(isObjectType);
  for (const type of types)
    for (const field of Object.values(type.getFields())) {
      const isBelowRoot = type !== schema.getQueryType() && type !== schema.getMutationType();
      if (!isBelowRoot || !field.resolve || !names.has(field.name)) continue;
      const operation = `${type.name}.${field.name}`;
      bindAdded(field, { operation, type: field.type, isRoot: false }, false, gate);
    }
}

/** Gives an added resolver the context of its root field, as all resolvers have it. */
function bindAdded(field: RootField, gated: GatedField, mayWrite: boolean, gate: Gate): void {
  const { resolve = defaultFieldResolver } = field;
  field.resolve = (source, args, context: RootContext, info) => {
    const run = gate(gated, (args, context, name) =>
      resolve(source, args, context.at(context.ledger.begin(name, mayWrite)), info),
    );
    return withinErrors(run(args, context, toRootName(info)), context, info);
  };
}

/** Returns the response name of the root field that a field is part of. */
function toRootName({ path }: GraphQLResolveInfo): string {
  let root = path;
  while (root.prev) root = root.prev;
  return String(root.key);
}

function toResolve(handler: Handler, resolver: object, mayWrite: boolean): Resolve {
  const { methodName, params = [] } = handler;
  assertPlain(handler, methodName);
  const method: unknown = Reflect.get(resolver, methodName);
  if (typeof method !== 'function') throw new Error(`${methodName} is no method`);
  const getters = params
    .toSorted((one, other) => one.index - other.index)
    .map((parameter) => toGetter(parameter, mayWrite));
  return (args, context, name): unknown =>
    method.apply(
      resolver,
      getters.map((get) => get(args, context, name)),
    );
}

/** Returns how a parameter of a resolver gets its value. */
function toGetter(parameter: Parameter, mayWrite: boolean): Resolve {
  if (parameter.kind === 'context' && parameter.propertyName === undefined)
    return (_, context, name) => context.at(context.ledger.begin(name, mayWrite));
  if (parameter.kind === 'arg') return (args) => args[parameter.name];
  throw new Error(`${parameter.methodName} may have @Ctx() and @Arg() parameters only`);
}

/** Plans read the fields of types with `simpleResolvers` from their objects. */
function assertPlainFields(): void {
  const { fields, objectTypes, fieldResolvers } = getMetadataStorage();
  const simple = objectTypes.filter(({ simpleResolvers }) => simpleResolvers);
  for (const field of fields) {
    if (!simple.some(({ target }) => target === field.target)) continue;
    // Has a resolver, so no plan reads the field.
    if (
      fieldResolvers.some(
        ({ methodName, getObjectType }) =>
          methodName === field.name && getObjectType?.() === field.target,
      )
    )
      continue;
    assertPlain(field, field.name);
    if (field.name !== field.schemaName)
      throw new Error(
        `${field.name} must not have another name in the schema: the field would be null`,
      );
  }
}

function assertPlain(
  { roles, middlewares = [] }: Pick<Handler, 'roles' | 'middlewares'>,
  name: string,
): void {
  if (roles || middlewares.length > 0)
    throw new Error(`${name} must not have @Authorized or @UseMiddleware: they would not run`);
}
