// The recipe examples/recipes/study-form.tsx in a page: prints what it renders, and what its resolver says of a bad value.
import { ApolloClient, HttpLink, InMemoryCache } from '@apollo/client';
import { ApolloProvider } from '@apollo/client/react';
import { renderToString } from 'react-dom/server';
import { createStudySchema } from 'study-gateway-client/forms';
import { url } from './report.js';
import { StudyForm } from './study-form.js';

const client = new ApolloClient({ link: new HttpLink({ uri: url }), cache: new InMemoryCache() });
const page = renderToString(
  <ApolloProvider client={client}>
    <StudyForm />
  </ApolloProvider>,
);
const { issues } = await createStudySchema['~standard'].validate({ projectId: 'X' });
console.log(page, issues?.[0]?.path);
