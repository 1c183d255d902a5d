type UnknownRecord = Readonly<Record<string, unknown>>;

/** Tells objects with properties of unknown types, arrays included. */
export function isRecord(value: unknown): value is UnknownRecord {
  return typeof value === 'object' && value !== null;
}

/** Returns the value of a JSON text; `undefined` when the text is no JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Maximum number of layers. The deepest known nesting has four: a result, an error, a network error and a response. */
const MAX_LAYERS = 5;

/**
 * Returns the value that a client library threw or returned, and every error or response wrapped inside, outermost
 * first. Checks properties instead of using `instanceof`, because the client imports no library.
 */
export function toLayers(thrown: unknown): readonly UnknownRecord[] {
  const layers: UnknownRecord[] = [];
  for (let layer = thrown; isRecord(layer) && layers.length < MAX_LAYERS; layer = unwrap(layer))
    layers.push(layer);
  return layers;
}

function unwrap(layer: UnknownRecord): unknown {
  const { bodyText, result, networkError, error, source, response } = layer;
  return [
    // Apollo Client's error for an HTTP status: the response body as text, here as JSON.
    typeof bodyText === 'string' ? parseJson(bodyText) : undefined,
    // Apollo Client 3's error for an HTTP status: the response body as JSON, or text that is no JSON.
    result,
    // The network error in urql's CombinedError and Apollo Client 3's ApolloError.
    networkError,
    // The error in the result of a call or a hook.
    error,
    // The response in Relay's error for a response without data.
    source,
    // The response in graphql-request's ClientError.
    response,
  ].find(isRecord);
}

/** A GraphQL response with errors, at least one. `data` is `undefined` when the client library hides it, too. */
interface Answer {
  readonly errors: readonly GraphQLErrorLike[];
  readonly data: UnknownRecord | undefined;
}

export interface GraphQLErrorLike {
  /** Missing in what Relay's `@catch` returns. */
  readonly message?: string;
  readonly path?: unknown;
  readonly extensions?: unknown;
}

/** Returns the GraphQL response among the layers; `undefined` when no layer holds GraphQL errors. */
export function findAnswer(layers: readonly UnknownRecord[]): Answer | undefined {
  const errors = layers
    // A bare array of errors, `errors` as in a GraphQL response, or urql's name for them.
    .flatMap((layer) => [layer, layer.errors, layer.graphQLErrors])
    .find(isErrorList);
  // An outer layer may have `null`, where a library hides the data of a response with errors.
  const data = layers.map((layer) => layer.data).find(isRecord);
  return errors && { errors, data };
}

/** Excludes the errors of an AggregateError: GraphQL errors are plain objects or have `extensions`. */
function isErrorList(value: unknown): value is readonly GraphQLErrorLike[] {
  return (
    Array.isArray(value) &&
    value.length > 0 &&
    value.every(
      (error) =>
        isRecord(error) &&
        ('extensions' in error || (typeof error.message === 'string' && !(error instanceof Error))),
    )
  );
}
