const json = 'application/json';
const graphqlJson = 'application/graphql-response+json';

/** Media type for each range of `Accept`, and the closeness of the range: 1 for a name, 0 for a wildcard. */
const offers: ReadonlyMap<string, readonly [mediaType: string, closeness: number]> = new Map([
  [graphqlJson, [graphqlJson, 1]],
  [json, [json, 1]],
  ['application/*', [json, 0]],
  ['*/*', [json, 0]],
]);

/**
 * Chooses the media type of an answer. An `Accept` that admits neither type gets JSON all the same, as RFC 9110
 * §12.5.1 allows: Apollo would run the operation, even a write, and answer 406 instead of the result.
 */
export function chooseMediaType(accept = '*/*'): string {
  // Fast path: most clients name exactly one media type.
  const [named] = offers.get(accept) ?? [];
  if (named !== undefined) return named;

  let chosen = json;
  let best = 0;
  for (const range of accept.toLowerCase().split(',')) {
    const [name = '', ...parameters] = range.split(';').map((part) => part.trim());
    const [mediaType, closeness] = offers.get(name) ?? [json, 0];
    const weight = Number(parameters.find((part) => part.startsWith('q='))?.slice(2) ?? 1);
    // Closeness only breaks ties between equal weights: a weight has at most three decimals.
    const score = weight > 0 && offers.has(name) ? weight + closeness / 10_000 : 0;
    if (score > best) [chosen, best] = [mediaType, score];
  }
  return chosen;
}
