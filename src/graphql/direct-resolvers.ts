import type { GraphQLFieldResolver, GraphQLResolveInfo, GraphQLSchema } from 'graphql';
import { getMetadataStorage } from 'type-graphql';

type Arguments = Readonly<Record<string, unknown>>;
type Resolve = GraphQLFieldResolver<unknown, unknown, Arguments>;
type Handler = ReturnType<typeof getMetadataStorage>['queries'][number];
type Parameter = NonNullable<Handler['params']>[number];

/**
 * Lets the root fields of a schema call the methods of their resolver class with the arguments as graphql-js has coerced
 * them. type-graphql builds an instance of the input's class in each call, field by field, and nobody asks for one.
 *
 * @param resolver an instance of the class that the schema was built from
 * @throws Error on a decorator that a direct call would leave out, so that nobody trusts it in vain
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
        throw new Error(`${field.name} must not have another name in the schema: it would be null`);
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
