/** An object with properties of unknown types. */
export type UnknownRecord = Readonly<Record<string, unknown>>;

export function isRecord(value: unknown): value is UnknownRecord {
  return typeof value === 'object' && value !== null;
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

function unwrap({ bodyText, networkError, error, response }: UnknownRecord): unknown {
  return (
    // Apollo Client's error for an HTTP status: the response body as text, here as JSON.
    (typeof bodyText === 'string' ? parse(bodyText) : undefined) ??
    // The network error in urql's CombinedError and in Apollo Client 3's ApolloError.
    networkError ??
    // The error in the result of a call or a hook.
    error ??
    // The response in graphql-request's ClientError.
    response
  );
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
