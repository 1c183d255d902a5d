import { ApolloClient, HttpLink, InMemoryCache } from '@apollo/client';
import { ApolloProvider, skipToken } from '@apollo/client/react';
import { prerenderStatic } from '@apollo/client/react/ssr';
import { createElement } from 'react';
import { renderToString } from 'react-dom/server';
import { expect, expectTypeOf, it } from 'vitest';
import { EditStudyDocument, type StudyFieldsFragment, type StudyQuery } from 'study-gateway-client';
import {
  useCreateStudyMutation,
  useEditStudyMutation,
  useStudiesQuery,
  useStudyQuery,
} from 'study-gateway-client/apollo';
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

/** What arrived, and beside it the first error. */
function Description({ id }: { readonly id: string }) {
  const { data, error } = useStudyQuery({ variables: { id } });
  return createElement('p', null, data?.study?.description ?? '', error?.message ?? '');
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

it('renders a study with useStudyQuery, and its edit from the cache', async () => {
  const { client, id } = await startClient();

  expect(await render(client, id)).toBe('<p>Before</p>');
  await client.mutate({
    mutation: EditStudyDocument,
    variables: { id, input: { description: 'After' } },
  });

  expect(await render(client, id)).toBe('<p>After</p>');
});

it('gives what arrived and the error of the field, under the defaults of the README', async () => {
  const api = answerJson({ ...wholeStudy, summaries: null });
  const { url } = await startTestGateway({ api });
  const headers = { authorization: 'Bearer token' };
  // Typed as `object`: this program declares no default options.
  const defaultOptions: object = { watchQuery: { errorPolicy: 'all' } };
  const client = new ApolloClient({
    link: new HttpLink({ uri: `${url}/graphql`, headers }),
    cache: new InMemoryCache(),
    defaultOptions,
  });

  const page = await render(client, wholeStudy.id);

  expect(page).toContain(`<p>${wholeStudy.description}`);
  expect(page).toContain('answered &quot;summaries&quot;');
});

it('types the hooks by their operations, with the null of a broken field', () => {
  expectTypeOf<StudyFieldsFragment['summaries']>().toEqualTypeOf<string[] | null>();
  expectTypeOf<StudyFieldsFragment['id']>().toEqualTypeOf<string>();
  expectTypeOf<ReturnType<typeof useStudyQuery>['data']>().toEqualTypeOf<StudyQuery | undefined>();
});

// Compiled by `npm run check`, never run.
export function useEverything(id: string): void {
  const [edit] = useEditStudyMutation();
  const [create] = useCreateStudyMutation({ errorPolicy: 'all' });
  void create({ variables: { input: { description: 'Why?' } } });
  void edit({ variables: { id, input: { progress: { total: 3 } } } });
  // @ts-expect-error: the id is required
  void edit({ variables: { input: {} } });
  // @ts-expect-error: the document knows no such field to edit
  void edit({ variables: { id, input: { problems: [] } } });
  useStudiesQuery();
  useStudyQuery(id === '' ? skipToken : { variables: { id }, fetchPolicy: 'network-only' });
  // @ts-expect-error: the id is required
  useStudyQuery({ fetchPolicy: 'network-only' });
}
