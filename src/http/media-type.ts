const json = 'application/json';
const graphqlJson = 'application/graphql-response+json';

/** What a range of `Accept` gets, and how closely it asks for that. */
const offers: ReadonlyMap<string, readonly [mediaType: string, closeness: number]> = new Map([
  [graphqlJson, [graphqlJson, 1]],
  [json, [json, 1]],
  ['application/*', [json, 0]],
  ['*/*', [json, 0]],
]);

/**
 * The media type of an answer. An `Accept` that no type of ours fits is disregarded, which RFC 9110 §12.5.1
 * allows: Apollo would run the operation and answer 406 in place of its result, whatever it has changed.
 */
export function chooseMediaType(accept = '*/*'): string {
  // Most clients name one.
  const [named] = offers.get(accept) ?? [];
  if (named !== undefined) return named;

  let chosen = json;
  let best = 0;
  for (const range of accept.toLowerCase().split(',')) {
    const [name = '', ...parameters] = range.split(';').map((part) => part.trim());
    const [mediaType, closeness] = offers.get(name) ?? [json, 0];
    const weight = Number(parameters.find((part) => part.startsWith('q='))?.slice(2) ?? 1);
    // A weight has three decimals at most.
    const score = weight > 0 && offers.has(name) ? weight + closeness / 10_000 : 0;
    if (score > best) [chosen, best] = [mediaType, score];
  }
  return chosen;
}
