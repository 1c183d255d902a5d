import { ApolloClient, ApolloLink, HttpLink, InMemoryCache } from '@apollo/client';
import { SetContextLink } from '@apollo/client/link/context';
import { safeWrites } from 'study-gateway-client';
import { studyTypePolicies } from 'study-gateway-client/apollo';

const tokenKey = 'bearer-token';

/** Token until a user enters another one: the emulator's demo token, or no token in production. */
const initialToken = import.meta.env.DEV ? 'demo-token' : '';

/** Returns the bearer token. The token survives a reload, and is deleted when the browser tab is closed. */
export function readToken(): string {
  return sessionStorage.getItem(tokenKey) ?? initialToken;
}

/** Stores the bearer token. An app with sign-in must also call `client.clearStore()`: the cache belongs to one user. */
export function writeToken(token: string): void {
  sessionStorage.setItem(tokenKey, token);
}

const url = import.meta.env.VITE_GATEWAY_URL ?? 'http://127.0.0.1:4000/graphql';

const headers = () => ({ authorization: `Bearer ${readToken()}` });

const safe = safeWrites({
  fetch,
  url,
  headers,
  // The scenarios are tokens of one user. An app with sign-in returns the id of the user who is signed in.
  owner: () => (readToken().startsWith('demo-') ? 'demo' : undefined),
});

/** The writes of this user whose outcome is not known. */
export const { unsettledWrites } = safe;

export const client = new ApolloClient({
  link: ApolloLink.from([
    new SetContextLink((context) => ({ headers: { ...context.headers, ...headers() } })),
    new HttpLink({ uri: url, fetch: safe.fetch }),
  ]),
  cache: new InMemoryCache({ typePolicies: studyTypePolicies }),
});
