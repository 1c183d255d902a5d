import type { GraphQLFieldResolver, GraphQLSchema } from 'graphql';
import { getMetadataStorage } from 'type-graphql';

type Resolve = GraphQLFieldResolver<unknown, unknown, Readonly<Record<string, unknown>>>;
type Handler = ReturnType<typeof getMetadataStorage>['queries'][number];
type Parameter = NonNullable<Handler['params']>[number];

/**
 * Lets the root fields of a schema call the methods of their resolver class with the arguments as graphql-js has coerced
 * them. type-graphql would build an instance of the input's class in each call, field by field, and nobody asks for one.
 *
 * @param resolver an instance of the class that the schema was built from
 */
export function callDirectly(schema: GraphQLSchema, resolver: object): void {
  const { queries, mutations } = getMetadataStorage();
  for (const handler of [...queries, ...mutations]) {
    const type = queries.includes(handler) ? schema.getQueryType() : schema.getMutationType();
    const field = type?.getFields()[handler.schemaName];
    if (field && resolver instanceof handler.target) field.resolve = toResolve(handler, resolver);
  }
}

function toResolve({ methodName, params = [] }: Handler, resolver: object): Resolve {
  const method: unknown = Reflect.get(resolver, methodName);
  if (typeof method !== 'function') throw new Error(`${methodName} is no method`);
  const reads = params.toSorted((one, other) => one.index - other.index).map(toRead);
  return (_, args, context): unknown =>
    method.apply(
      resolver,
      reads.map((read) => read(args, context)),
    );
}

function toRead(
  parameter: Parameter,
): (args: Record<string, unknown>, context: unknown) => unknown {
  if (parameter.kind === 'context' && parameter.propertyName === undefined)
    return (_, context) => context;
  if (parameter.kind === 'arg') return (args) => args[parameter.name];
  throw new Error(`${parameter.methodName} may have @Ctx() and @Arg() parameters only`);
}
