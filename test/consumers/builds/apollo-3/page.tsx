// What a frontend with Apollo Client 3 writes by mistake: each hook is a type error, and throws when it runs.
import * as hooks from 'study-gateway-client/react';

function Page() {
  hooks.useCreateStudyMutation();
  hooks.useStudyQuery({ variables: { id: '' } });
  hooks.useStudiesSuspenseQuery();
  hooks.useStudyLazyQuery();
  return null;
}

// oxlint-disable-next-line import/first -- the lines of the errors stand above
import { ApolloClient, ApolloProvider, InMemoryCache } from '@apollo/client';
import { renderToString } from 'react-dom/server';

const client = new ApolloClient({ uri: 'http://127.0.0.1:1', cache: new InMemoryCache() });
renderToString(
  <ApolloProvider client={client}>
    <Page />
  </ApolloProvider>,
);
