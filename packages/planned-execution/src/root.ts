import type { BaseContext } from '@apollo/server';
import type { GraphQLField } from 'graphql';

/** Runs a root field, and returns its result: usually a promise. `name` is the field's response name. */
export type Run<Context extends BaseContext = BaseContext> = (
  args: Readonly<Record<string, unknown>>,
  context: Context,
  name: string,
) => unknown;

/** What `bindRoot` has bound to each field. */
// oxlint-disable-next-line typescript/no-explicit-any -- the context of the server that has the field
export const runs = new WeakMap<object, Run<any>>();

/**
 * Makes `run` the resolver of a root field, which plans call without graphql-js. `run` must return a value without functions
 * and promises inside. An `Error` inside the value is the error of the field or of the item whose place it takes.
 */
export function bindRoot<Context extends BaseContext>(
  field: GraphQLField<unknown, Context>,
  run: Run<Context>,
): void {
  runs.set(field, run);
  field.resolve = (_, args, context, info) => run(args, context, String(info.path.key));
}
