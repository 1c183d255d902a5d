/** Throws beside Apollo Client 3, whose hooks would ignore options and return other results. */
export function requireApollo4<Result extends { readonly client: object }>(result: Result): Result {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- each version of the client has its number
  const { version } = result.client as { readonly version?: string };
  if (version?.startsWith('3.'))
    throw new Error('study-gateway-client/react needs Apollo Client 4.');
  return result;
}
