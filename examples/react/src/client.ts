import { ApolloClient, ApolloLink, HttpLink, InMemoryCache } from '@apollo/client';
import { SetContextLink } from '@apollo/client/link/context';
import { safeWrites } from 'study-gateway-client';
import { studyTypePolicies } from 'study-gateway-client/apollo';
import { readToken } from './token.ts';

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
