// Apollo Client 3: its own functions with the documents, and the error kit.
import apollo from '@apollo/client/core/core.cjs';
import { CreateStudyDocument, StudyDocument, studyProblem } from 'study-gateway-client';

const { ApolloClient, HttpLink, InMemoryCache } = apollo;
const [, , uri] = process.argv;
const createClient = (token) =>
  new ApolloClient({
    link: new HttpLink({ uri, headers: { authorization: `Bearer ${token}` } }),
    cache: new InMemoryCache(),
  });
const create = (client) =>
  client.mutate({ mutation: CreateStudyDocument, variables: { input: { description: 'New' } } });

const client = createClient('demo-token');
const created = await create(client);
const { id } = created.data.createStudy;
const read = await client.query({ query: StudyDocument, variables: { id } });
const failed = await create(createClient('demo-cut')).catch((error) => error);
const lost = await create(
  new ApolloClient({
    link: new HttpLink({ uri: 'http://127.0.0.1:1/graphql' }),
    cache: new InMemoryCache(),
  }),
).catch((error) => error);
console.log(
  JSON.stringify({
    read: read.data.study.description,
    failed: studyProblem(failed).code,
    lost: studyProblem(lost).code,
  }),
);
