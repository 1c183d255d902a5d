import type {
  BaseContext,
  GraphQLRequestContextDidEncounterErrors,
  GraphQLRequestContextWillSendResponse,
} from '@apollo/server';
import { GraphQLError } from 'graphql';
import { ValueError } from './refusal.js';

/** Maximum number of errors of one response, about. */
const MAX_ERRORS = 1_000;

const BOUND = 'field_errors';

/** Returns the path of the root field of an error, or of the entity in its list. */
function toPlace({ path = [] }: GraphQLError): readonly (string | number)[] {
  return path.slice(0, typeof path[1] === 'number' ? 2 : 1);
}

/**
 * Limits the errors of a response. Replaces the errors of each root field and of each entity that has more than its share by
 * one error. Changes the array of errors, which Apollo formats after its hooks.
 */
export function limitErrors({
  errors,
}: Pick<GraphQLRequestContextDidEncounterErrors<BaseContext>, 'errors'>): void {
  if (errors.length <= MAX_ERRORS) return;
  const groups = Map.groupBy(errors, (error) => toPlace(error).join('.'));
  const share = MAX_ERRORS / groups.size;
  const limited = [...groups.values()].flatMap((group) => {
    if (group.length <= share) return group;
    const message =
      `The Study API's answer breaks its contract in ${group.length} of the selected values. ` +
      `A response reports at most ${MAX_ERRORS} of them.`;
    const originalError = new ValueError('UPSTREAM_CONTRACT', message, BOUND);
    return new GraphQLError(message, { path: toPlace(group[0]!), originalError });
  });
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- Apollo's own array
  (errors as GraphQLError[]).splice(0, errors.length, ...limited);
}

/** Omits the values of the root fields and entities whose errors `limitErrors` has replaced. */
export function omitLimited({
  errors = [],
  response: { body },
}: GraphQLRequestContextWillSendResponse<BaseContext>): void {
  const data = body.kind === 'single' ? body.singleResult.data : undefined;
  for (const { originalError, path: [key = '', index] = [] } of errors) {
    const isLimit = originalError instanceof ValueError && originalError.bound === BOUND;
    if (!data || !isLimit) continue;
    const list = data[key];
    if (typeof index === 'number' && Array.isArray(list)) list[index] = null;
    else data[key] = null;
  }
}
