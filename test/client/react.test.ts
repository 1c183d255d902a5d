import { ApolloClient, HttpLink, InMemoryCache } from '@apollo/client';
import type { ResultOf } from '@graphql-typed-document-node/core';
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
  useEditStudyMutation,
  useStudyQuery,
  type useStudySuspenseQuery,
  type StudyQuery as NullableQuery,
} from 'study-gateway-client/react';
import {
  useCreateStudyMutation as useStrictCreateMutation,
  useEditStudyMutation as useStrictEditMutation,
  useStudyQuery as useStrictQuery,
  type useStudySuspenseQuery as useStrictSuspenseQuery,
  type CreateStudyMutation,
  type StudyFieldsFragment,
  type StudyQuery,
} from 'study-gateway-client/react/strict';
import type { StudyDocument as StrictDocument } from 'study-gateway-client/strict';
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

type Hook = typeof useStudyQuery | typeof useStrictQuery;

/** What arrived, and beside it the first error. */
function Description({ id, useHook }: { readonly id: string; readonly useHook: Hook }) {
  const { data, error } = useHook({ variables: { id } });
  return createElement(
    'p',
    null,
    data?.study?.description ?? '',
    ...(error ? [error.message] : []),
  );
}

/** The page as React 19 renders it once its queries are answered. */
async function render(
  client: ApolloClient,
  id: string,
  useHook: Hook = useStudyQuery,
): Promise<string> {
  const tree = createElement(ApolloProvider, {
    client,
    children: createElement(Description, { id, useHook }),
  });
  const { result } = await prerenderStatic({
    tree,
    context: { client },
    renderFunction: renderToString,
  });
  return result;
}

/** What a page gets that edits a study once. */
async function editOnce(
  client: ApolloClient,
  useHook: typeof useEditStudyMutation | typeof useStrictEditMutation,
): Promise<{ data: unknown; message: unknown }> {
  let edit: ReturnType<typeof useHook>[0] | undefined;
  function Page() {
    [edit] = useHook();
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

/** A client whose defaults are other than those of the hooks. Typed as `object`: Apollo's types accept no default policy. */
async function startDefaults(errorPolicy: string, answer: unknown): Promise<ApolloClient> {
  const { url } = await startTestGateway({ api: answerJson(answer) });
  const defaultOptions: object = { watchQuery: { errorPolicy }, mutate: { errorPolicy } };
  return new ApolloClient({
    link: new HttpLink({ uri: `${url}/graphql`, headers: { authorization: 'Bearer token' } }),
    cache: new InMemoryCache(),
    defaultOptions,
  });
}

const drifted = { ...wholeStudy, summaries: null };

it.each(['none', 'ignore'])(
  'gives what arrived and the error of the field, though the default of its client is %s',
  async (errorPolicy) => {
    const client = await startDefaults(errorPolicy, drifted);

    const page = await render(client, wholeStudy.id);
    const edited = await editOnce(client, useEditStudyMutation);

    expect(page).toContain(`<p>${wholeStudy.description}`);
    expect(page).toContain('answered &quot;summaries&quot;');
    expect(edited).toEqual({
      data: { editStudy: expect.objectContaining({ id: wholeStudy.id, summaries: null }) },
      message: expect.stringContaining('"summaries"'),
    });
  },
);

it.each(['all', 'ignore'])(
  'hands no partial data to a strict page, though the default of its client is %s',
  async (errorPolicy) => {
    const client = await startDefaults(errorPolicy, drifted);

    const page = await render(client, wholeStudy.id, useStrictQuery);

    expect(page).toMatch(/^<p>The Study API answered &quot;summaries&quot;/);
    expect(await editOnce(client, useStrictEditMutation)).toEqual({
      data: undefined,
      message: expect.any(String),
    });
  },
);

it('rejects a write of which nothing arrived', async () => {
  const client = await startDefaults('all', 'no study');

  expect(await editOnce(client, useEditStudyMutation)).toEqual({
    data: undefined,
    message: expect.any(String),
  });
});

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

it('has types with the null of a broken field, and strict ones without it', () => {
  expectTypeOf<CreateStudyMutation>().toEqualTypeOf<{ createStudy: StudyFieldsFragment }>();
  expectTypeOf<StudyQuery>().toEqualTypeOf<{ study: StudyFieldsFragment | null }>();
  expectTypeOf<StudyFieldsFragment['summaries']>().toEqualTypeOf<string[]>();
  expectTypeOf<StudyFieldsFragment['description']>().toEqualTypeOf<string | null>();
  expectTypeOf<NullableFields['summaries']>().toEqualTypeOf<string[] | null>();
  expectTypeOf<NullableFields['id']>().toEqualTypeOf<string>();
  expectTypeOf<ResultOf<typeof StrictDocument>>().toEqualTypeOf<StudyQuery>();
  expectTypeOf<ResultOf<typeof StudyDocument>>().toEqualTypeOf<NullableQuery>();
});

it('types the hooks by their operations', () => {
  type Create = ReturnType<typeof useStrictCreateMutation>;

  expectTypeOf<Create[1]['data']>().toEqualTypeOf<CreateStudyMutation | null | undefined>();
  expectTypeOf<ReturnType<typeof useStrictQuery>['data']>().toEqualTypeOf<StudyQuery | undefined>();
  expectTypeOf<ReturnType<typeof useStudyQuery>['data']>().toEqualTypeOf<
    NullableQuery | undefined
  >();
  expectTypeOf<ReturnType<typeof useStrictSuspenseQuery>['data']>().toEqualTypeOf<StudyQuery>();
  // A read that failed as a whole does not throw.
  expectTypeOf<ReturnType<typeof useStudySuspenseQuery>['data']>().toEqualTypeOf<
    NullableQuery | undefined
  >();
});

// Compiled by `npm run check`, never run.
export function useEverything(id: string): void {
  const [edit] = useStrictEditMutation({ errorPolicy: 'none' });
  void edit({ variables: { id, input: { progress: { total: 3 } } } });
  // @ts-expect-error: with partial data the strict types would be wrong
  void edit({ variables: { id, input: {} }, errorPolicy: 'all' });
  // @ts-expect-error: the same
  useStrictCreateMutation({ errorPolicy: 'all' });
  // @ts-expect-error: the same
  useStrictQuery({ variables: { id }, errorPolicy: 'ignore' });
  useStudyQuery({ variables: { id }, errorPolicy: 'all' });
  // @ts-expect-error: a broken field would cost the page
  useStudyQuery({ variables: { id }, errorPolicy: 'none' });
  // @ts-expect-error: the id is required
  void edit({ variables: { input: {} } });
  // @ts-expect-error: the document knows no such field to edit
  void edit({ variables: { id, input: { problems: [] } } });
  useStudyQuery(id === '' ? skipToken : { variables: { id }, fetchPolicy: 'network-only' });
  // @ts-expect-error: the id is required
  useStudyQuery({ fetchPolicy: 'network-only' });
}
