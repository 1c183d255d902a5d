/** Converts OpenAPI 3.1 to 3.0, the latest that openapi-to-graphql reads: the type "null" becomes `nullable: true`. */
export function toOpenApi30(document) {
  return { ...convert(document), openapi: '3.0.3' };
}

function convert(value) {
  if (Array.isArray(value)) return value.map(convert);
  if (typeof value !== 'object' || value === null) return value;
  const { type, examples, ...rest } = value;
  const converted = Object.fromEntries(
    Object.entries(rest).map(([key, item]) => [key, convert(item)]),
  );
  return {
    ...converted,
    ...(examples && { example: examples[0] }),
    ...(type !== undefined && { type: [type].flat().find((name) => name !== 'null') }),
    ...([type].flat().includes('null') && { nullable: true }),
  };
}
