'use client';

import { HttpLink } from '@apollo/client';
import {
  ApolloClient,
  ApolloNextAppProvider,
  InMemoryCache,
} from '@apollo/client-integration-nextjs';
import type { ReactNode } from 'react';
import { safeWrites } from 'study-gateway-client';
import { studyTypePolicies } from 'study-gateway-client/apollo';

// A route of yours, which adds the token of the user. Replace 'ada' by the id of the user.
const url = '/graphql';
const { fetch: safeFetch, unsettledWrites } = safeWrites({ fetch, url, owner: () => 'ada' });

export { unsettledWrites };

const makeClient = () =>
  new ApolloClient({
    link: new HttpLink({ uri: url, fetch: safeFetch }),
    cache: new InMemoryCache({ typePolicies: studyTypePolicies }),
  });

export function StudyProvider({ children }: { children: ReactNode }) {
  return <ApolloNextAppProvider makeClient={makeClient}>{children}</ApolloNextAppProvider>;
}
