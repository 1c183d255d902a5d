import type { GraphQLFieldResolver, GraphQLSchema } from 'graphql';
import { getMetadataStorage } from 'type-graphql';
import type { OperationContext } from './request-context.js';

type Arguments = Readonly<Record<string, unknown>>;
type RootContext = Pick<OperationContext, 'at' | 'operation'>;
type Resolve = GraphQLFieldResolver<unknown, RootContext, Arguments>;
type Handler = ReturnType<typeof getMetadataStorage>['queries'][number];
type Parameter = NonNullable<Handler['params']>[number];

/**
 * Makes the root fields of a schema call the methods of `resolver` directly, with the arguments that graphql-js has
 * coerced. type-graphql would first copy each input into an instance of its class, which no resolver needs. `@Ctx()` is the
 * context of the root field, `context.at(field)`: so a resolver cannot make a call in the name of another field.
 *
 * @param resolver instance of a resolver class of the schema
 * @throws Error when a field has a decorator that a direct call would ignore, such as `@Authorized`
 */
export function callDirectly(schema: GraphQLSchema, resolver: object): void {
  const { queries, mutations, fields, objectTypes } = getMetadataStorage();
  const simple = new Set(
    objectTypes.flatMap((type) => (type.simpleResolvers ? [type.target] : [])),
  );
  for (const field of fields)
    if (simple.has(field.target)) {
      assertPlain(field, field.name);
      if (field.name !== field.schemaName)
        throw new Error(
          `${field.name} must not have another name in the schema: the field would be null`,
        );
    }
  for (const handler of [...queries, ...mutations]) {
    const type = queries.includes(handler) ? schema.getQueryType() : schema.getMutationType();
    const field = type?.getFields()[handler.schemaName];
    if (field && resolver instanceof handler.target)
      field.resolve = toResolve(handler, resolver, mutations.includes(handler));
  }
}

function assertPlain(
  { roles, middlewares = [] }: Pick<Handler, 'roles' | 'middlewares'>,
  name: string,
): void {
  if (roles || middlewares.length > 0)
    throw new Error(`${name} must not have @Authorized or @UseMiddleware: they would not run`);
}

function toResolve(handler: Handler, resolver: object, mayWrite: boolean): Resolve {
  const { methodName, params = [] } = handler;
  assertPlain(handler, methodName);
  const method: unknown = Reflect.get(resolver, methodName);
  if (typeof method !== 'function') throw new Error(`${methodName} is no method`);
  const reads = params
    .toSorted((one, other) => one.index - other.index)
    .map((parameter) => toRead(parameter, mayWrite));
  return (_, args, context, { path }): unknown =>
    method.apply(
      resolver,
      reads.map((read) => read(args, context, String(path.key))),
    );
}

/** Returns how a parameter of a resolver gets its value. `name` is the response name of the root field. */
function toRead(
  parameter: Parameter,
  mayWrite: boolean,
): (args: Arguments, context: RootContext, name: string) => unknown {
  if (parameter.kind === 'context' && parameter.propertyName === undefined)
    return (_, context, name) => context.at(context.operation.begin(name, mayWrite));
  if (parameter.kind === 'arg') return (args) => args[parameter.name];
  throw new Error(`${parameter.methodName} may have @Ctx() and @Arg() parameters only`);
}
