import type { BaseContext } from '@apollo/server';
import type {
  GraphQLField,
  GraphQLFieldResolver,
  GraphQLResolveInfo,
  GraphQLSchema,
} from 'graphql';

import { withinErrors } from './field-errors.js';

type Resolver = GraphQLFieldResolver<unknown, BaseContext>;
type FieldInfo = Pick<GraphQLResolveInfo, 'path'>;
/** Results of root fields, by response name. */
type Results = ReadonlyMap<string, unknown>;

/** Result of a resolver that threw an error. */
export class Failure {
  constructor(readonly error: unknown) {}
}

const known = new WeakMap<GraphQLSchema, Roots>();

/**
 * Replaces the resolvers of a schema's root fields: root fields can replay results instead of calling resolvers, and no
 * result has more errors than a response has room for.
 */
export class Roots {
  readonly #resolvers = new Map<GraphQLField<unknown, unknown>, Resolver>();
  readonly #replays = new WeakMap<BaseContext, Results>();

  static of(schema: GraphQLSchema): Roots {
    const roots = known.get(schema) ?? new Roots(schema);
    known.set(schema, roots);
    return roots;
  }

  private constructor(schema: GraphQLSchema) {
    for (const type of [schema.getQueryType(), schema.getMutationType()])
      for (const field of Object.values(type?.getFields() ?? {})) {
        const { resolve } = field;
        if (!resolve) continue;
        this.#resolvers.set(field, resolve);
        field.resolve = (source, args, context: BaseContext, info) => {
          const replay = this.#replays.get(context);
          const result = replay
            ? replay.get(String(info.path.key))
            : resolve(source, args, context, info);
          if (result instanceof Failure) throw result.error;
          return withinErrors(result, context, info);
        };
      }
  }

  /**
   * Calls the original resolver of a root field, and returns its result: usually a promise.
   *
   * @param key response name of the field
   */
  resolve(
    field: GraphQLField<unknown, unknown>,
    key: string,
    args: Readonly<Record<string, unknown>>,
    context: BaseContext,
  ): unknown {
    const info: FieldInfo = { path: { prev: undefined, key, typename: undefined } };
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- our resolvers get only `path` of the info
    return this.#resolvers.get(field)!(undefined, args, context, info as GraphQLResolveInfo);
  }

  /** Makes the root fields replay `results` when graphql-js executes the operation of this context. */
  replay(context: BaseContext, results: Results): void {
    this.#replays.set(context, results);
  }
}
