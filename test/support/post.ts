/** The bearer token that test requests carry. */
export const token = 'test-token';

export type Headers = Readonly<Record<string, string>>;

/**
 * Returns the options of a `POST` with the test's token. An object as `body` becomes JSON, a string stays as it is.
 * `headers` override the defaults; '' removes a header.
 */
export function toPostInit(body: object | string, headers: Headers = {}): RequestInit {
  const all = {
    'content-type': 'application/json',
    authorization: `Bearer ${token}`,
    ...headers,
  };
  return {
    method: 'POST',
    headers: Object.fromEntries(Object.entries(all).filter(([, value]) => value !== '')),
    body: typeof body === 'string' ? body : JSON.stringify(body),
  };
}
