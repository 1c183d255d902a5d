import type {
  BaseContext,
  GraphQLRequestContextDidEncounterErrors,
  GraphQLRequestContextWillSendResponse,
} from '@apollo/server';
import { GraphQLError, isNonNullType } from 'graphql';
import { collectFields, toFragments } from 'planned-execution';
import { StacklessError } from 'rest-outcome';

/** Maximum number of errors below the root fields of one response. */
const MAX_FIELD_ERRORS = 1_000;

/** A root field has more errors below than the response has room for. Stands in the place of these errors. */
export class TooManyErrorsError extends StacklessError {
  override readonly name = 'TooManyErrorsError';
  readonly bound = 'field_errors';

  /** @param key response name of the root field, whose value becomes `null`; `undefined` if all data becomes `null` */
  constructor(
    count: number,
    readonly key: string | undefined,
  ) {
    super(
      `The Study API's answer breaks its contract in ${count} of the selected values. ` +
        `A response reports at most ${MAX_FIELD_ERRORS} of them.`,
    );
  }
}

/**
 * Replaces the errors below each root field whose errors have no room in the response by one error. Changes the array of
 * errors, which Apollo formats after its hooks.
 */
export function limitErrors(context: GraphQLRequestContextDidEncounterErrors<BaseContext>): void {
  const { errors, schema, document, operation } = context;
  if (errors.length <= MAX_FIELD_ERRORS || !document || !operation) return;
  const fields = schema.getRootType(operation.operation)?.getFields();
  let room = MAX_FIELD_ERRORS;
  for (const [key, nodes] of collectFields([operation], toFragments(document))) {
    const isBelow = ({ path = [] }: GraphQLError): boolean => path.length > 1 && path[0] === key;
    const count = errors.filter(isBelow).length;
    if (count <= room) {
      room -= count;
      continue;
    }
    const isNonNull = isNonNullType(fields?.[nodes[0]!.name.value]?.type);
    const originalError = new TooManyErrorsError(count, isNonNull ? undefined : key);
    const error = new GraphQLError(originalError.message, { nodes, path: [key], originalError });
    const kept = [...errors.filter((error) => !isBelow(error)), error];
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- Apollo's own array
    (errors as GraphQLError[]).splice(0, errors.length, ...kept);
  }
}

/** Omits the values of the root fields whose errors `limitErrors` has replaced. */
export function omitLimited({
  errors = [],
  response: { body },
}: GraphQLRequestContextWillSendResponse<BaseContext>): void {
  for (const { originalError } of errors) {
    if (body.kind !== 'single' || !(originalError instanceof TooManyErrorsError)) continue;
    const { singleResult } = body;
    const { key } = originalError;
    if (key === undefined) singleResult.data = null;
    else if (singleResult.data) singleResult.data[key] = null;
  }
}
