import type { BaseContext } from '@apollo/server';
import {
  getDirectiveValues,
  GraphQLIncludeDirective,
  GraphQLSkipDirective,
  type FieldNode,
  type GraphQLResolveInfo,
} from 'graphql';
import { collectFields } from './selection.js';

/** Maximum number of errors below the root fields of one response. graphql-js takes up to 35 µs for each. */
const MAX_FIELD_ERRORS = 1_000;

/** The value of a root field has more errors than the response has room for. Stands in the place of the value. */
export class TooManyErrorsError extends Error {
  override readonly name = 'TooManyErrorsError';
  readonly bound = 'field_errors';

  constructor(count: number) {
    super(
      `The Study API's answer breaks its contract in ${count} of the selected values. ` +
        `A response reports at most ${MAX_FIELD_ERRORS} of them.`,
    );
  }
}

type Info = Pick<GraphQLResolveInfo, 'fieldNodes' | 'fragments' | 'variableValues'>;

/** Number of errors in the responses so far. */
const counts = new WeakMap<BaseContext, number>();

/**
 * Returns the result of a root field, or of an entity in its list, if its errors have room in the response: graphql-js
 * would make an error for each place where an `Error` is selected.
 *
 * @throws TooManyErrorsError when there is no room; a promise in `result` rejects with it
 */
export function withinErrors(result: unknown, context: BaseContext, info: Info): unknown {
  if (result instanceof Promise)
    return result.then((value: unknown) => withinErrors(value, context, info));
  if (Array.isArray(result))
    return result.map((item: unknown) => {
      try {
        return withinErrors(item, context, info);
      } catch (error) {
        return error;
      }
    });
  const count = createCounter(info.fieldNodes, info)(result);
  if (count === 0) return result;
  const before = counts.get(context) ?? 0;
  if (before + count > MAX_FIELD_ERRORS) throw new TooManyErrorsError(count);
  counts.set(context, before + count);
  return result;
}

/**
 * Returns a function that counts the errors in a value which has the fields below some nodes. Ignores type conditions: no type
 * here has two kinds.
 */
function createCounter(nodes: readonly FieldNode[], info: Info): (value: unknown) => number {
  const selectionSets = nodes.map(({ selectionSet }) => selectionSet);
  const selected = collectFields(selectionSets, info.fragments, (node) => isIncluded(node, info));
  const fields = [...selected.values()].map((same) => ({
    name: same[0]!.name.value,
    count: createCounter(same, info),
  }));
  return function count(value) {
    if (value instanceof Error) return 1;
    // A leaf has no fields below it, and is no error inside.
    if (fields.length === 0 || typeof value !== 'object' || value === null) return 0;
    let sum = 0;
    if (Array.isArray(value)) for (const item of value) sum += count(item);
    else for (const field of fields) sum += field.count(Reflect.get(value, field.name));
    return sum;
  };
}

function isIncluded(node: Pick<FieldNode, 'directives'>, { variableValues }: Info): boolean {
  if (!node.directives?.length) return true;
  return (
    getDirectiveValues(GraphQLSkipDirective, node, variableValues)?.['if'] !== true &&
    getDirectiveValues(GraphQLIncludeDirective, node, variableValues)?.['if'] !== false
  );
}
