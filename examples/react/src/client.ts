import { ApolloClient, ApolloLink, HttpLink, InMemoryCache } from '@apollo/client';
import { SetContextLink } from '@apollo/client/link/context';
import { safeWrites } from 'study-gateway-client';
import { studyTypePolicies } from 'study-gateway-client/apollo';

const tokenKey = 'bearer-token';

/** Returns the bearer token, at first that of the emulator. It survives a reload, and ends with the browser tab. */
export function readToken(): string {
  return sessionStorage.getItem(tokenKey) ?? (import.meta.env.DEV ? 'demo-token' : '');
}

/** Stores the bearer token. An app with sign-in must also call `client.clearStore()`: the cache belongs to one user. */
export function writeToken(token: string): void {
  sessionStorage.setItem(tokenKey, token);
}

const url = import.meta.env.VITE_GATEWAY_URL ?? 'http://127.0.0.1:4000/graphql';

const headers = () => ({ authorization: `Bearer ${readToken()}` });

const { fetch: safeFetch, unsettledWrites } = safeWrites({
  fetch,
  url,
  headers,
  // The scenarios are tokens of one user. An app with sign-in returns the id of the user who is signed in.
  owner: () => (readToken().startsWith('demo-') ? 'demo' : undefined),
});

export { unsettledWrites };

export const client = new ApolloClient({
  link: ApolloLink.from([
    new SetContextLink((context) => ({ headers: { ...context.headers, ...headers() } })),
    new HttpLink({ uri: url, fetch: safeFetch }),
  ]),
  cache: new InMemoryCache({ typePolicies: studyTypePolicies }),
});
