import {
  defaultFieldResolver,
  isObjectType,
  type GraphQLField,
  type GraphQLResolveInfo,
  type GraphQLSchema,
} from 'graphql';
import { getMetadataStorage } from 'type-graphql';
import type { Context, ResolverContext } from '../context.js';
import { bindRoot, type Run } from 'planned-execution';

export type Class = new () => object;
type Resolve = Run<Context>;
type Handler = ReturnType<typeof getMetadataStorage>['queries'][number];
type Parameter = NonNullable<Handler['params']>[number];

/**
 * Binds the fields of a schema to the methods of resolver classes. A root field calls its method directly with the arguments
 * that graphql-js has coerced: type-graphql would first copy each input into an instance of its class, which no resolver
 * needs. type-graphql calls the methods of added classes. `@Ctx()` is a {@link ResolverContext}, so a resolver cannot
 * make a call in the name of another root field.
 *
 * @param addedClasses classes of a user, which may use all of type-graphql. No plan has their fields
 * @throws Error when a root field has no resolver or two, or `@UseMiddleware`, which a direct call would ignore
 */
export function bindResolvers(
  schema: GraphQLSchema,
  classes: readonly Class[],
  addedClasses: readonly Class[] = [],
): void {
  const { queries, mutations, fieldResolvers } = getMetadataStorage();
  const instances = new Map<unknown, object>(classes.map((Own) => [Own, new Own()]));
  const allClasses = new Set<unknown>([...classes, ...addedClasses]);
  const belowRoots = new Set(fieldResolvers.map(({ schemaName }) => schemaName));
  for (const type of Object.values(schema.getTypeMap()).filter(isObjectType)) {
    const isMutation = type === schema.getMutationType();
    const isRoot = isMutation || type === schema.getQueryType();
    for (const field of Object.values(type.getFields())) {
      if (!isRoot) {
        if (field.resolve && belowRoots.has(field.name)) bindAdded(field, false);
        continue;
      }
      const handlers = (isMutation ? mutations : queries).filter(
        ({ schemaName, target }) => schemaName === field.name && allClasses.has(target),
      );
      const [handler] = handlers;
      if (!handler) throw new Error(`${field.name} has no resolver`);
      if (handlers.length > 1) throw new Error(`${field.name} has two resolvers`);
      const resolver = instances.get(handler.target);
      if (resolver) bindRoot(field, toResolve(handler, resolver, isMutation));
      else bindAdded(field, isMutation);
    }
  }
}

/** @param name response name of the root field, by which the ledger knows its step */
function toResolverContext(context: Context, name: string, mayWrite: boolean): ResolverContext {
  return { ...context.apis, step: context.ledger.beginStep(name, mayWrite), context };
}

/** Gives an added resolver the context of its root field. A field below a root field may only read. */
function bindAdded(field: GraphQLField<unknown, Context>, mayWrite: boolean): void {
  const { resolve = defaultFieldResolver } = field;
  field.resolve = (source, args, context, info) => {
    const own = toResolverContext(context, toRootName(info), mayWrite);
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what type-graphql passes as `@Ctx()`
    return resolve(source, args, own as unknown as Context, info);
  };
}

/** Returns the response name of the root field that a field is part of. */
function toRootName({ path }: GraphQLResolveInfo): string {
  let root = path;
  while (root.prev) root = root.prev;
  return String(root.key);
}

function toResolve(handler: Handler, resolver: object, mayWrite: boolean): Resolve {
  const { methodName, params = [], middlewares = [] } = handler;
  if (middlewares.length > 0) throw new Error(`${methodName} must not have @UseMiddleware`);
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
    return (_, context, name) => toResolverContext(context, name, mayWrite);
  if (parameter.kind === 'arg') return (args) => args[parameter.name];
  throw new Error(`${parameter.methodName} may have @Ctx() and @Arg() parameters only`);
}
