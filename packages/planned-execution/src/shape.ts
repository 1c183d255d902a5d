const irregular = new Error('left to graphql-js');

/** Ends the planning of a document, or the coercion of a request's values: graphql-js executes the operation. */
export function doNotPlan(): never {
  throw irregular;
}

/** Returns the result of `run`. After `doNotPlan`, or the error of a scalar, which graphql-js meets again, returns `undefined`. */
export function ifPlanned<Result>(run: () => Result): Result | undefined {
  try {
    return run();
  } catch {
    return undefined;
  }
}

/**
 * Returns a function that creates objects with these keys and values; without `toValue`, each value is `null`. V8 copies such
 * an object in one step; an object that grows key by key becomes a slow hash table after its twelfth key.
 *
 * Refuses the key `__proto__`: assigning to this key would replace the prototype.
 */
export function planShape(
  keys: readonly string[],
  toValue: (key: string) => unknown = () => null,
): () => Record<string, unknown> {
  if (keys.includes('__proto__')) doNotPlan();
  const nulls = keys.map((key) => `${JSON.stringify(key)}:null`);
  // JSON.parse creates an object in V8's fast layout, even with many keys.
  const template: Record<string, unknown> = JSON.parse(`{${nulls.join(',')}}`);
  for (const key of keys) template[key] = toValue(key);
  return () => ({ ...template });
}
