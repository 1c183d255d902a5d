import { ApolloClient, HttpLink, InMemoryCache } from '@apollo/client';
import { ApolloProvider, skipToken } from '@apollo/client/react';
import { prerenderStatic } from '@apollo/client/react/ssr';
import { renderToString } from 'react-dom/server';
import { CreateStudyDocument, matchProblem, studyProblem } from 'study-gateway-client';
import {
  useCreateStudyMutation,
  useEditStudyMutation,
  useStudiesQuery,
  useStudyProgress,
  useStudyQuery,
} from 'study-gateway-client/apollo';

const [, , url = ''] = process.argv;

function StudyPage({ id }: { readonly id: string }) {
  const { data, error } = useStudyQuery({ variables: { id } });
  const [edit, { loading }] = useEditStudyMutation();
  const [create, created] = useCreateStudyMutation();
  useStudyProgress(data?.study);
  const problem = created.error && studyProblem(created.error);

  if (error) return <p>{studyProblem(error, 'query').message}</p>;
  return (
    <article>
      <h1>{data?.study?.description}</h1>
      <button
        disabled={loading}
        onClick={() => void edit({ variables: { id, input: { bookmarked: true } } })}
      >
        Bookmark
      </button>
      <button onClick={() => void create({ variables: { input: {} } })}>New</button>
      {problem &&
        matchProblem(problem, {
          notSent: () => <p>Not sent</p>,
          rejected: () => <p>Refused</p>,
          applied: ({ studyId }) => <a href={`/studies/${studyId}`}>Stored</a>,
          unknown: () => <p>Check before you repeat it</p>,
          readFailed: () => <p>Could not be read</p>,
        })}
    </article>
  );
}

/** Compiled and never rendered. */
export function OtherHooks() {
  const list = useStudiesQuery();
  const page = useStudiesQuery({ variables: { page: 2 } });
  const [edit] = useEditStudyMutation();
  // @ts-expect-error: the id is required
  void edit({ variables: { input: {} } });
  // @ts-expect-error: an edit has no such field
  void edit({ variables: { id: '', input: { problems: [] } } });
  useStudyQuery(skipToken);
  // @ts-expect-error: the id is required
  useStudyQuery();
  return <>{list.data?.studies?.total ?? page.data?.studies?.total}</>;
}

const client = new ApolloClient({
  link: new HttpLink({ uri: url, headers: { authorization: 'Bearer demo-token' } }),
  cache: new InMemoryCache(),
});
const { data } = await client.mutate({
  mutation: CreateStudyDocument,
  variables: { input: { description: 'New' } },
});
const { result } = await prerenderStatic({
  tree: (
    <ApolloProvider client={client}>
      <StudyPage id={data?.createStudy?.id ?? ''} />
    </ApolloProvider>
  ),
  context: { client },
  renderFunction: renderToString,
});
console.log(result);
