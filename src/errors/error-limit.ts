import type { BaseContext, GraphQLRequestContextWillSendResponse } from '@apollo/server';
import { GraphQLError } from 'graphql';
import { ValueError } from './refusal.js';

/** Maximum number of errors of one root field. */
const MAX_ERRORS = 1_000;

/**
 * Replaces the errors of each root field that has more than `MAX_ERRORS` by one error. Changes the array of errors, which
 * Apollo formats after its hooks.
 */
export function limitErrors(errors: readonly GraphQLError[]): void {
  if (errors.length <= MAX_ERRORS) return;
  const groups = Map.groupBy(errors, ({ path }) => path?.[0]);
  const limited = Array.from(groups, ([root = '', group]) => {
    if (group.length <= MAX_ERRORS) return group;
    const message =
      `The Study API's answer breaks its contract in ${group.length} of the selected values. ` +
      `A root field reports at most ${MAX_ERRORS} of them.`;
    const originalError = new ValueError('UPSTREAM_CONTRACT', message, 'field_errors');
    return new GraphQLError(message, { path: [root], originalError });
  }).flat();
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- Apollo's own array
  (errors as GraphQLError[]).splice(0, errors.length, ...limited);
}

/** Omits the values of the root fields whose errors `limitErrors` has replaced. */
export function omitLimited({
  errors = [],
  response: { body },
}: GraphQLRequestContextWillSendResponse<BaseContext>): void {
  const data = body.kind === 'single' ? body.singleResult.data : undefined;
  for (const { originalError, path: [root = ''] = [] } of errors) {
    if (!data || !(originalError instanceof ValueError && originalError.bound)) continue;
    const value = data[root];
    // The list of entities may not be null, but each of its items may.
    data[root] = Array.isArray(value) ? value.map(() => null) : null;
  }
}
