import { ApolloClient, HttpLink, InMemoryCache } from '@apollo/client';
import { ApolloProvider, skipToken } from '@apollo/client/react';
import { prerenderStatic } from '@apollo/client/react/ssr';
import { createElement } from 'react';
import { renderToString } from 'react-dom/server';
import { expect, expectTypeOf, it, onTestFinished } from 'vitest';
import {
  CreateStudyDocument,
  EditStudyDocument,
  StudyDocument,
  StudyFieldsFragmentDoc,
  type StudyFieldsFragment as NullableFields,
} from 'study-gateway-client';
import {
  useCreateStudyMutation,
  useEditStudyMutation,
  useStudyQuery,
  type CreateStudyMutation,
  type StudyFieldsFragment,
  type StudyQuery,
} from 'study-gateway-client/react';
import { startTestEmulator } from '../support/emulator.js';
import { startTestGateway } from '../support/gateway.js';
import { wholeStudy } from '../support/studies.js';
import { answerJson } from '../support/study-api.js';

async function startClient() {
  const emulator = await startTestEmulator();
  const { url } = await startTestGateway({ studyApiUrl: emulator.url });
  const { id } = await emulator.create({ description: 'Before' });
  const client = new ApolloClient({
    link: new HttpLink({
      uri: `${url}/graphql`,
      headers: { authorization: `Bearer ${emulator.token}` },
    }),
    cache: new InMemoryCache(),
  });
  return { client, id };
}

function Description({ id }: { readonly id: string }) {
  const { data, error } = useStudyQuery({ variables: { id } });
  return createElement('p', null, data?.study?.description ?? error?.message ?? 'loading');
}

/** The page as React 19 renders it once its queries are answered. */
async function render(client: ApolloClient, id: string): Promise<string> {
  const tree = createElement(ApolloProvider, {
    client,
    children: createElement(Description, { id }),
  });
  const { result } = await prerenderStatic({
    tree,
    context: { client },
    renderFunction: renderToString,
  });
  return result;
}

/** What a page gets that edits a study once. */
async function editOnce(client: ApolloClient): Promise<{ data: unknown; message: unknown }> {
  let edit: ReturnType<typeof useEditStudyMutation>[0] | undefined;
  function Page() {
    [edit] = useEditStudyMutation();
    return null;
  }
  renderToString(createElement(ApolloProvider, { client, children: createElement(Page) }));
  return edit!({ variables: { id: wholeStudy.id, input: {} } }).then(
    ({ data, error }) => ({ data, message: error?.message }),
    (error: Error) => ({ data: undefined, message: error.message }),
  );
}

it('shows an edit in every query that watches the study', async () => {
  const { client, id } = await startClient();
  const seen: unknown[] = [];
  const watched = client
    .watchQuery({ query: StudyDocument, variables: { id } })
    .subscribe(({ data }) => seen.push(data?.study?.description));
  onTestFinished(() => watched.unsubscribe());
  await expect.poll(() => seen).toEqual([undefined, 'Before']);

  await client.mutate({
    mutation: EditStudyDocument,
    variables: { id, input: { description: 'After' } },
  });

  await expect.poll(() => seen).toEqual([undefined, 'Before', 'After']);
});

it('renders a study with useStudyQuery, and its edit from the cache', async () => {
  const { client, id } = await startClient();

  expect(await render(client, id)).toBe('<p>Before</p>');
  await client.mutate({
    mutation: EditStudyDocument,
    variables: { id, input: { description: 'After' } },
  });

  expect(await render(client, id)).toBe('<p>After</p>');
});

it.each(['all', 'ignore'] as const)(
  'hands no partial data to a page, though the default of its client is %s',
  async (errorPolicy) => {
    const { url } = await startTestGateway({ api: answerJson({ ...wholeStudy, summaries: null }) });
    // Typed as `object`: Apollo's types accept a default error policy only if the application declares it by module augmentation.
    const defaultOptions: object = { watchQuery: { errorPolicy }, mutate: { errorPolicy } };
    const client = new ApolloClient({
      link: new HttpLink({ uri: `${url}/graphql`, headers: { authorization: 'Bearer token' } }),
      cache: new InMemoryCache(),
      defaultOptions,
    });

    expect(await render(client, wholeStudy.id)).toContain('answered &quot;summaries&quot;');
    expect(await editOnce(client)).toEqual({ data: undefined, message: expect.any(String) });
  },
);

it('reads a new study from the cache as a fragment', async () => {
  const { client } = await startClient();

  const { data } = await client.mutate({
    mutation: CreateStudyDocument,
    variables: { input: { description: 'New' } },
  });

  const id = client.cache.identify({ __typename: 'Study', id: data?.createStudy?.id });
  expect(
    client.readFragment({
      id: String(id),
      fragment: StudyFieldsFragmentDoc,
      fragmentName: 'StudyFields',
    }),
  ).toMatchObject({ description: 'New' });
});

it('has strict types in the hooks, and nullable ones in the documents', () => {
  expectTypeOf<CreateStudyMutation>().toEqualTypeOf<{ createStudy: StudyFieldsFragment }>();
  expectTypeOf<StudyQuery>().toEqualTypeOf<{ study: StudyFieldsFragment | null }>();
  expectTypeOf<StudyFieldsFragment['summaries']>().toEqualTypeOf<string[]>();
  expectTypeOf<StudyFieldsFragment['description']>().toEqualTypeOf<string | null>();
  expectTypeOf<NullableFields['summaries']>().toEqualTypeOf<string[] | null>();
  expectTypeOf<NullableFields['id']>().toEqualTypeOf<string>();
});

it('types the hooks by their operations', () => {
  type Create = ReturnType<typeof useCreateStudyMutation>;
  type Read = ReturnType<typeof useStudyQuery>;

  expectTypeOf<Create[1]['data']>().toEqualTypeOf<CreateStudyMutation | null | undefined>();
  expectTypeOf<Read['data']>().toEqualTypeOf<StudyQuery | undefined>();
});

// Compiled by `npm run check`, never run.
export function useEverything(id: string): void {
  const [edit] = useEditStudyMutation({ errorPolicy: 'none' });
  void edit({ variables: { id, input: { progress: { total: 3 } } } });
  // @ts-expect-error: with partial data the strict types would be wrong
  void edit({ variables: { id, input: {} }, errorPolicy: 'all' });
  // @ts-expect-error: the same
  useCreateStudyMutation({ errorPolicy: 'all' });
  // @ts-expect-error: the same
  useStudyQuery({ variables: { id }, errorPolicy: 'ignore' });
  // @ts-expect-error: the id is required
  void edit({ variables: { input: {} } });
  // @ts-expect-error: the document knows no such field to edit
  void edit({ variables: { id, input: { problems: [] } } });
  useStudyQuery(id === '' ? skipToken : { variables: { id }, fetchPolicy: 'network-only' });
  // @ts-expect-error: the id is required
  useStudyQuery({ fetchPolicy: 'network-only' });
}
