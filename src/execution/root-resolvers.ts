import type { GraphQLField, GraphQLSchema } from 'graphql';
import { getMetadataStorage } from 'type-graphql';
import { withinErrors } from './field-errors.js';

// oxlint-disable-next-line typescript/no-explicit-any -- graphql-js's own type of a schema's fields
type RootField = GraphQLField<unknown, any>;
type Arguments = Readonly<Record<string, unknown>>;
type Handler = ReturnType<typeof getMetadataStorage>['queries'][number];
type Parameter = NonNullable<Handler['params']>[number];
/** Calls the resolver of a root field, and returns its result: usually a promise. `name` is the field's response name. */
export type Call = (args: Arguments, context: RootContext, name: string) => unknown;

/** What the root fields of an operation need of its context. */
export interface RootContext {
  readonly ledger: {
    /** Begins the step of a root field. */
    begin(name: string, mayWrite: boolean): unknown;
  };
  /** Returns the context for the resolver of a root field, from its step. */
  at(step: unknown): object;
}

/** Result of a resolver that threw an error. */
export class Thrown {
  constructor(readonly error: unknown) {}
}

/** Calls of the bound root fields. */
export const calls = new WeakMap<RootField, Call>();
/** Results by response name, which the root fields replay when graphql-js executes the operation of a context. */
export const replays = new WeakMap<RootContext, ReadonlyMap<string, unknown>>();

/**
 * Replaces the resolvers of a schema's root fields; nothing else does. Each root field calls its method of a resolver class
 * with the arguments that graphql-js has coerced: type-graphql would first copy each input into an instance of its class,
 * which no resolver needs. `@Ctx()` is the context of the root field, `context.at(step)`, so a resolver cannot make a call
 * in the name of another field. A result with more errors than a response has room for becomes one error.
 *
 * @param resolvers instances of the resolver classes of the schema
 * @throws Error when a root field has no resolver here, or a decorator that a direct call would ignore, such as `@Authorized`
 */
export function bindRoots(schema: GraphQLSchema, resolvers: readonly object[]): void {
  assertPlainFields();
  const { queries, mutations } = getMetadataStorage();
  for (const [type, handlers] of [
    [schema.getQueryType(), queries],
    [schema.getMutationType(), mutations],
  ] as const)
    for (const field of Object.values(type?.getFields() ?? {})) {
      const handler = handlers.find(({ schemaName }) => schemaName === field.name);
      const resolver = resolvers.find((one) => handler && one instanceof handler.target);
      if (!handler || !resolver) throw new Error(`${field.name} has no resolver`);
      bindRoot(field, toCall(handler, resolver, handlers === mutations));
    }
}

/** Makes `call` the resolver of a root field. */
export function bindRoot(field: RootField, call: Call): void {
  calls.set(field, call);
  field.resolve = (_, args, context: RootContext, info) => {
    const name = String(info.path.key);
    const results = replays.get(context);
    const result = results ? results.get(name) : call(args, context, name);
    if (result instanceof Thrown) throw result.error;
    return withinErrors(result, context, info);
  };
}

function toCall(handler: Handler, resolver: object, mayWrite: boolean): Call {
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
function toGetter(parameter: Parameter, mayWrite: boolean): Call {
  if (parameter.kind === 'context' && parameter.propertyName === undefined)
    return (_, context, name) => context.at(context.ledger.begin(name, mayWrite));
  if (parameter.kind === 'arg') return (args) => args[parameter.name];
  throw new Error(`${parameter.methodName} may have @Ctx() and @Arg() parameters only`);
}

/** Plans read the fields of types with `simpleResolvers` from their objects. */
function assertPlainFields(): void {
  const { fields, objectTypes } = getMetadataStorage();
  const simple = objectTypes.filter(({ simpleResolvers }) => simpleResolvers);
  for (const field of fields) {
    if (!simple.some(({ target }) => target === field.target)) continue;
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
