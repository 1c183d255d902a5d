import type { GraphQLFieldResolver, GraphQLResolveInfo, GraphQLSchema } from 'graphql';
import { getMetadataStorage } from 'type-graphql';

type Arguments = Readonly<Record<string, unknown>>;
type Resolve = GraphQLFieldResolver<unknown, unknown, Arguments>;
type Handler = ReturnType<typeof getMetadataStorage>['queries'][number];
type Parameter = NonNullable<Handler['params']>[number];

/**
 * Makes the root fields of a schema call the methods of `resolver` directly, with the arguments that graphql-js has
 * coerced. type-graphql would first copy each input into an instance of its class, which no resolver needs.
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
    if (field && resolver instanceof handler.target) field.resolve = toResolve(handler, resolver);
  }
}

function assertPlain(
  { roles, middlewares = [] }: Pick<Handler, 'roles' | 'middlewares'>,
  name: string,
): void {
  if (roles || middlewares.length > 0)
    throw new Error(`${name} must not have @Authorized or @UseMiddleware: they would not run`);
}

function toResolve(handler: Handler, resolver: object): Resolve {
  const { methodName, params = [] } = handler;
  assertPlain(handler, methodName);
  const method: unknown = Reflect.get(resolver, methodName);
  if (typeof method !== 'function') throw new Error(`${methodName} is no method`);
  const reads = params.toSorted((one, other) => one.index - other.index).map(toRead);
  return (_, args, context, info): unknown =>
    method.apply(
      resolver,
      reads.map((read) => read(args, context, info)),
    );
}

function toRead(
  parameter: Parameter,
): (args: Arguments, context: unknown, info: GraphQLResolveInfo) => unknown {
  if (parameter.kind === 'context' && parameter.propertyName === undefined)
    return (_, context) => context;
  if (parameter.kind === 'arg') return (args) => args[parameter.name];
  if (parameter.kind === 'info') return (_, __, info) => info;
  throw new Error(`${parameter.methodName} may have @Ctx(), @Info() and @Arg() parameters only`);
}
