import type { BaseContext } from '@apollo/server';
import {
  getDirectiveValues,
  GraphQLIncludeDirective,
  GraphQLSkipDirective,
  Kind,
  type FieldNode,
  type GraphQLResolveInfo,
  type SelectionNode,
} from 'graphql';
import { StacklessError } from '../rest/stackless.js';

/** Maximum number of errors below the root fields of one response. graphql-js takes up to 35 µs for each. */
const MAX_FIELD_ERRORS = 1_000;

/** The value of a root field has more errors than the response has room for. Stands in the place of the value. */
export class TooManyErrorsError extends StacklessError {
  override readonly name = 'TooManyErrorsError';
  readonly bound = 'field_errors';

  constructor(count: number) {
    super(
      `The Study API's answer breaks its contract in ${count} of the selected values. ` +
        `A response reports at most ${MAX_FIELD_ERRORS} of them.`,
    );
  }
}

/** The value of a root field makes the response too long. Stands in the place of the value. */
export class LongResponseError extends StacklessError {
  override readonly name = 'LongResponseError';
  readonly bound = 'response_bytes';

  constructor(maxBytes: number) {
    super(
      `The response would have more than ${maxBytes.toLocaleString('en')} bytes, which is the limit.`,
    );
  }
}

type Info = Pick<GraphQLResolveInfo, 'fieldNodes' | 'fragments' | 'variableValues'>;

/** A selected field below a root field, with the fields that are selected below it. */
interface Selected {
  readonly name: string;
  readonly fields: readonly Selected[];
}

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
    return result.map((item: unknown) =>
      item instanceof Promise ? withinErrors(item, context, info) : item,
    );
  const count = countErrors(result, toSelected(info.fieldNodes, info));
  if (count === 0) return result;
  const before = counts.get(context) ?? 0;
  if (before + count > MAX_FIELD_ERRORS) throw new TooManyErrorsError(count);
  counts.set(context, before + count);
  return result;
}

function countErrors(value: unknown, fields: readonly Selected[]): number {
  if (value instanceof Error) return 1;
  // A leaf has no fields below it, and is no error inside.
  if (fields.length === 0 || typeof value !== 'object' || value === null) return 0;
  let count = 0;
  if (Array.isArray(value)) for (const item of value) count += countErrors(item, fields);
  else
    for (const field of fields) count += countErrors(Reflect.get(value, field.name), field.fields);
  return count;
}

/** Returns the fields below some nodes, each response name once. Ignores type conditions: no type here has two kinds. */
function toSelected(nodes: readonly FieldNode[], info: Info): readonly Selected[] {
  const byKey = new Map<string, FieldNode[]>();
  const visited = new Set<string>();
  const collect = (selections: readonly SelectionNode[] = []): void => {
    for (const selection of selections) {
      if (!isIncluded(selection, info)) continue;
      if (selection.kind === Kind.FIELD) {
        const key = (selection.alias ?? selection.name).value;
        byKey.set(key, [...(byKey.get(key) ?? []), selection]);
      } else if (selection.kind === Kind.INLINE_FRAGMENT)
        collect(selection.selectionSet.selections);
      else if (!visited.has(selection.name.value)) {
        visited.add(selection.name.value);
        collect(info.fragments[selection.name.value]?.selectionSet.selections);
      }
    }
  };
  for (const { selectionSet } of nodes) collect(selectionSet?.selections);
  return [...byKey.values()].map((same) => ({
    name: same[0]!.name.value,
    fields: toSelected(same, info),
  }));
}

function isIncluded(node: SelectionNode, { variableValues }: Info): boolean {
  if (!node.directives?.length) return true;
  return (
    getDirectiveValues(GraphQLSkipDirective, node, variableValues)?.['if'] !== true &&
    getDirectiveValues(GraphQLIncludeDirective, node, variableValues)?.['if'] !== false
  );
}
