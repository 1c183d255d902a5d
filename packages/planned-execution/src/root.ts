import type { BaseContext } from '@apollo/server';
import type { GraphQLField } from 'graphql';
import { withinErrors } from './field-errors.js';

// oxlint-disable-next-line typescript/no-explicit-any -- graphql-js's own type of a schema's fields
type RootField = GraphQLField<any, any>;
/** Runs a root field, and returns its result: usually a promise. `name` is the field's response name. */
export type Resolve<Context extends BaseContext = BaseContext> = (
  args: Readonly<Record<string, unknown>>,
  context: Context,
  name: string,
) => unknown;

/** Result of a resolver that threw an error. */
export class Thrown {
  constructor(readonly error: unknown) {}
}

/** Resolvers of the bound root fields. Plans run them without graphql-js. */
// oxlint-disable-next-line typescript/no-explicit-any -- the context of the server that has the field
export const boundRoots = new WeakMap<RootField, Resolve<any>>();
/** Results by response name, which the root fields replay when graphql-js executes the operation of a context. */
export const replays = new WeakMap<BaseContext, ReadonlyMap<string, unknown>>();

/** Makes `run` the resolver of a root field, which plans call without graphql-js. */
export function bindRoot<Context extends BaseContext>(
  field: RootField,
  run: Resolve<Context>,
): void {
  boundRoots.set(field, run);
  field.resolve = (_, args, context: Context, info) => {
    const name = String(info.path.key);
    const results = replays.get(context);
    const result = results ? results.get(name) : run(args, context, name);
    if (result instanceof Thrown) throw result.error;
    return withinErrors(result, context, info);
  };
}
