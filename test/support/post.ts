/** The bearer token that test requests carry. */
export const token = 'test-token';

export type Headers = Readonly<Record<string, string>>;

/** `body` as JSON, a text as it is, with the test's token; `headers` override, '' leaves one out. */
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
