'use client';

import { HttpLink } from '@apollo/client';
import {
  ApolloClient,
  ApolloNextAppProvider,
  InMemoryCache,
} from '@apollo/client-integration-nextjs';
import type { ReactNode } from 'react';
import { retryLostWrites, studyTypePolicies } from 'study-gateway-client';

const makeClient = () =>
  new ApolloClient({
    link: new HttpLink({ uri: '/graphql', fetch: retryLostWrites(fetch) }),
    cache: new InMemoryCache({ typePolicies: studyTypePolicies }),
  });

export function StudyProvider({ children }: { children: ReactNode }) {
  return <ApolloNextAppProvider makeClient={makeClient}>{children}</ApolloNextAppProvider>;
}
