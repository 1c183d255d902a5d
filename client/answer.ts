import { isRecord, type UnknownRecord } from './layers.js';

/** The part of a GraphQL response that tells what failed. */
export interface Answer {
  /** Never empty. */
  readonly errors: readonly GraphQLErrorLike[];
  /** `undefined` when the library does not hand it on with the errors. */
  readonly data: unknown;
}

export interface GraphQLErrorLike {
  readonly message: string;
  readonly extensions?: unknown;
}

/** What the gateway answered; `undefined` when none of the layers is an answer with errors. */
export function findAnswer(layers: readonly UnknownRecord[]): Answer | undefined {
  const errors = layers
    // An array of errors itself; urql names them `graphQLErrors`, everybody else as GraphQL does.
    .flatMap((layer) => [layer, layer.errors, layer.graphQLErrors])
    .find(isErrorList);
  const data = layers.map((layer) => layer.data).find((value) => value !== undefined);
  return errors && { errors, data };
}

function isErrorList(value: unknown): value is readonly GraphQLErrorLike[] {
  return Array.isArray(value) && value.length > 0 && value.every(isGraphQLErrorLike);
}

/** An AggregateError has a list of errors too; those of GraphQL are plain objects or have extensions. */
function isGraphQLErrorLike(value: unknown): value is GraphQLErrorLike {
  return (
    isRecord(value) &&
    typeof value.message === 'string' &&
    (!(value instanceof Error) || 'extensions' in value)
  );
}
