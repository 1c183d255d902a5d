/** Converts OpenAPI 3.1 to 3.0, the latest that openapi-to-graphql reads: the type "null" becomes `nullable: true`. */
export function toOpenApi30(document) {
  return { ...convert(document), openapi: '3.0.3' };
}

function convert(value) {
  if (Array.isArray(value)) return value.map(convert);
  if (typeof value !== 'object' || value === null) return value;
  const { type, anyOf, ...rest } = value;
  const converted = Object.fromEntries(
    Object.entries(rest).map(([key, item]) => [key, convert(item)]),
  );
  if (Array.isArray(type) && type.includes('null'))
    return { ...converted, type: type.find((name) => name !== 'null'), nullable: true };
  if (anyOf?.some((option) => option.type === 'null')) {
    const option = anyOf.find(({ type }) => type !== 'null');
    return option.$ref ? option : { ...converted, ...convert(option), nullable: true };
  }
  return {
    ...converted,
    ...(type !== undefined && { type: convert(type) }),
    ...(anyOf && { anyOf: convert(anyOf) }),
  };
}
