/** An object whose properties are not known yet. */
export type UnknownRecord = Readonly<Record<string, unknown>>;

export function isRecord(value: unknown): value is UnknownRecord {
  return typeof value === 'object' && value !== null;
}

/** A result holds an error that holds another one that holds a response: nobody nests deeper. */
const MAX_LAYERS = 5;

/**
 * What a client library throws or returns, and what is wrapped in it, from the outside in. By structure, so that no
 * library is imported, and a second copy of one does not matter.
 */
export function toLayers(thrown: unknown): readonly UnknownRecord[] {
  const layers: UnknownRecord[] = [];
  for (let layer = thrown; isRecord(layer) && layers.length < MAX_LAYERS; layer = unwrap(layer))
    layers.push(layer);
  return layers;
}

function unwrap({ bodyText, networkError, error, response }: UnknownRecord): unknown {
  return (
    // Apollo Client: the text of an answer that came as plain JSON with an HTTP error.
    (typeof bodyText === 'string' ? parse(bodyText) : undefined) ??
    // urql's CombinedError, and Apollo Client 3.
    networkError ??
    // The result of a call or a hook, beside its data.
    error ??
    // graphql-request's ClientError.
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
