import { HttpLink } from '@apollo/client';
import {
  ApolloClient,
  InMemoryCache,
  registerApolloClient,
} from '@apollo/client-integration-nextjs';
import { studyTypePolicies } from 'study-gateway-client/apollo';

export const { PreloadQuery } = registerApolloClient(
  () =>
    new ApolloClient({
      link: new HttpLink({
        uri: process.env.GATEWAY_URL ?? '',
        headers: { authorization: `Bearer ${process.env.GATEWAY_TOKEN}` },
      }),
      cache: new InMemoryCache({ typePolicies: studyTypePolicies }),
    }),
);
