import { isRecord, type UnknownRecord } from './layers.js';

/** A GraphQL response with errors, reduced to the properties that tell why the operation failed. */
export interface Answer {
  /** The errors of the response, at least one. */
  readonly errors: readonly GraphQLErrorLike[];
  /** The data of the response; `undefined` when it has none, or when the client library passes errors on without data. */
  readonly data: UnknownRecord | undefined;
}

export interface GraphQLErrorLike {
  readonly message: string;
  readonly path?: unknown;
  readonly extensions?: unknown;
}

/** Returns the GraphQL response among the layers; `undefined` when no layer holds GraphQL errors. */
export function findAnswer(layers: readonly UnknownRecord[]): Answer | undefined {
  const errors = layers
    // A bare array of errors, `errors` as in a GraphQL response, or `graphQLErrors` as in urql.
    .flatMap((layer) => [layer, layer.errors, layer.graphQLErrors])
    .find(isErrorList);
  // An outer layer may have `null`, where a library hides the data of a response with errors.
  const data = layers.map((layer) => layer.data).find(isRecord);
  return errors && { errors, data };
}

function isErrorList(value: unknown): value is readonly GraphQLErrorLike[] {
  return Array.isArray(value) && value.length > 0 && value.every(isGraphQLErrorLike);
}

/** Excludes the errors of an AggregateError: GraphQL errors are plain objects or have `extensions`. */
function isGraphQLErrorLike(value: unknown): value is GraphQLErrorLike {
  return (
    isRecord(value) &&
    typeof value.message === 'string' &&
    (!(value instanceof Error) || 'extensions' in value)
  );
}
