import { ApolloClient, HttpLink, InMemoryCache } from '@apollo/client';
import { ApolloProvider } from '@apollo/client/react';
import { prerenderStatic } from '@apollo/client/react/ssr';
import { Suspense } from 'react';
import { renderToString } from 'react-dom/server';
import { CreateStudyDocument, matchProblem, studyProblem } from 'study-gateway-client';
import {
  useCreateStudyMutation,
  useEditStudyMutation,
  useStudiesQuery,
  useStudyLazyQuery,
  useStudyQuery,
  useStudySuspenseQuery,
} from 'study-gateway-client/react';
import { useStudySuspenseQuery as useStrictSuspenseQuery } from 'study-gateway-client/react/strict';
import { url } from './report.js';

function StudyPage({ id }: { readonly id: string }) {
  const { data, error } = useStudyQuery({ variables: { id } });
  const [edit, { loading }] = useEditStudyMutation({ variables: { id }, idempotent: true });
  const [create, created] = useCreateStudyMutation();
  const problem = created.error && studyProblem(created.error);

  if (error) return <p>{studyProblem(error, 'query').message}</p>;
  return (
    <article>
      <h1>{data?.study?.description}</h1>
      <button
        disabled={loading}
        onClick={() => void edit({ variables: { input: { bookmarked: true } } })}
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

/** Compiled and never rendered: React 18 cannot wait for suspense while it renders to a string. */
export function OtherHooks({ id }: { readonly id: string }) {
  const { data } = useStudySuspenseQuery({ variables: { id } });
  const [read, { called }] = useStudyLazyQuery();
  const list = useStudiesQuery();
  const page = useStudiesQuery({ variables: { page: 2 } });
  const [create] = useCreateStudyMutation({
    variables: { input: { description: id } },
    idempotent: id === '' ? undefined : true,
  });
  useEditStudyMutation({ variables: id === '' ? undefined : { id } });
  const [edit] = useEditStudyMutation({ variables: { id } });
  // @ts-expect-error: nobody gives the input
  void edit();
  // @ts-expect-error: a mutation knows no such variable
  useEditStudyMutation({ variables: { id, other: 1 } });
  // @ts-expect-error: a broken field would cost the page
  useStudyLazyQuery({ errorPolicy: 'none' });
  // @ts-expect-error: data that is partial for another reason has other types
  useStudySuspenseQuery({ variables: { id }, returnPartialData: true });
  const strict = useStrictSuspenseQuery({ variables: { id } });
  const summaries: string[] = strict.data.study?.summaries ?? [];
  // @ts-expect-error: with partial data the strict types would be wrong
  useStrictSuspenseQuery({ variables: { id }, errorPolicy: 'all' });
  // @ts-expect-error: the id is required
  void read();
  return (
    <Suspense>
      <button onClick={() => void create()}>{data?.study?.description}</button>
      {summaries}
      <button onClick={() => void read({ variables: { id } })}>{called}</button>
      {list.data?.studies?.total ?? page.data?.studies?.total}
    </Suspense>
  );
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
