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

export interface GraphQLErrorLike {
  /** Missing in what Relay's `@catch` returns. */
  readonly message?: string;
  readonly path?: readonly unknown[] | undefined;
  readonly extensions?: unknown;
}

/**
 * Finds the GraphQL response in what a client library threw or returned: its errors, or one that says that none was read,
 * and its data, if the library does not hide them.
 */
export function toAnswer(thrown: unknown) {
  const layers = toLayers(thrown);
  const isAborted = layers.some(({ name }) => name === 'AbortError');
  const reason = isAborted ? 'The operation was aborted.' : 'No answer of the gateway was read.';
  const message = `${reason} A write may have been made: check before you repeat it.`;
  const code = isAborted ? 'ABORTED' : 'NO_ANSWER';
  const extensions = { code, outcome: 'UNKNOWN', retryable: !isAborted };
  const errors: readonly GraphQLErrorLike[] = layers
    // A bare array of errors, `errors` as in a GraphQL response, or urql's name for them.
    .flatMap((layer) => [layer, layer.errors, layer.graphQLErrors])
    .find(isErrorList) ?? [{ message, extensions }];
  // An outer layer may have `null`, where a library hides the data of a response with errors.
  return { errors, data: layers.map((layer) => layer.data).find(isRecord) };
}

/**
 * Where client libraries keep an error or a response inside another one: Apollo Client's error for an HTTP status (4 as
 * text, 3 as JSON), the network error of urql and Apollo Client 3, the result of a hook, Relay, and graphql-request.
 */
const INNER = ['bodyText', 'result', 'networkError', 'error', 'source', 'response'];

/**
 * Returns what was thrown and every error or response inside, outermost first. Checks properties instead of using
 * `instanceof`, because the client imports no library. The deepest known nesting has four layers.
 */
function toLayers(thrown: unknown, depth = 5): readonly UnknownRecord[] {
  const layer = typeof thrown === 'string' ? parseJson(thrown) : thrown;
  if (!isRecord(layer) || depth === 0) return [];
  return [layer, ...INNER.flatMap((name) => toLayers(layer[name], depth - 1))];
}

function isErrorList(value: unknown): value is readonly GraphQLErrorLike[] {
  return Array.isArray(value) && value.length > 0 && value.every(isRecord);
}
