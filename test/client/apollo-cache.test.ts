import { ApolloClient, HttpLink, InMemoryCache, type ObservableQuery } from '@apollo/client';
import { describe, expect, it, onTestFinished } from 'vitest';
import {
  CreateStudyDocument,
  EditStudyDocument,
  StudiesDocument,
  type CreateStudyMutationVariables,
  type StudiesQuery,
  type StudiesQueryVariables,
} from 'study-gateway-client';
import { addStudy, evictStudies, studyTypePolicies } from 'study-gateway-client/apollo';
import { aStudy } from 'study-gateway-client/testing';
import { startTestEmulator } from '../support/emulator.js';
import { startTestGateway, type TestGatewayOptions } from '../support/gateway.js';
import { toPage, wholeStudy } from '../support/studies.js';
import { answerJson } from '../support/study-api.js';

const projects = ['aaaaaaaa-0000-4000-8000-000000000001', 'bbbbbbbb-0000-4000-8000-000000000002'];

/** An Apollo client as a frontend has it, in front of a gateway. */
async function startClient(options: TestGatewayOptions, token = 'demo-token') {
  const { url, calls } = await startTestGateway(options);
  const client = new ApolloClient({
    link: new HttpLink({
      uri: `${url}/graphql`,
      headers: { authorization: `Bearer ${token}` },
    }),
    cache: new InMemoryCache({ typePolicies: studyTypePolicies }),
  });
  onTestFinished(() => client.stop());
  return { client, calls };
}

/** The same in front of an emulator with the studies "1" to `count`; the newest is the first of the list. */
async function startWithStudies(count: number, fields: object = {}) {
  const emulator = await startTestEmulator();
  const create = (description: string) => emulator.create({ description, ...fields });
  for (let number = 1; number <= count; number++) await create(String(number));
  return { ...(await startClient({ studyApiUrl: emulator.url })), create, emulator };
}

/** A Study API whose pages of two studies are told by the test. */
function startWithPages(answers: Record<string, unknown>) {
  return startClient({
    api: (response, call, request) => {
      const page = new URL(call.url, 'http://study-api').searchParams.get('page') ?? '1';
      answerJson(answers[page])(response, call, request);
    },
  });
}

/** A study whose description tells it. */
const toStudy = (description: string) => ({
  ...wholeStudy,
  id: `00000000-0000-4000-8000-${description.padStart(12, '0')}`,
  description,
});

const toDescriptions = (data: StudiesQuery | null | undefined) =>
  data?.studies?.items?.map((study) => study && study.description);

const load = (client: ApolloClient, variables: StudiesQueryVariables) =>
  client.query({ query: StudiesDocument, variables, fetchPolicy: 'network-only' });

/** What the cache has, without a request. */
const look = (client: ApolloClient, variables: StudiesQueryVariables) =>
  toDescriptions(client.readQuery({ query: StudiesDocument, variables }));

/** A list on the screen. */
function show(client: ApolloClient, errorPolicy: 'none' | 'all' = 'none') {
  const list = client.watchQuery({ query: StudiesDocument, variables: { size: 2 }, errorPolicy });
  const watched = list.subscribe({});
  onTestFinished(() => watched.unsubscribe());
  return list;
}

/** What is on the screen. */
const shownBy = (list: ObservableQuery<StudiesQuery, StudiesQueryVariables>) =>
  toDescriptions(list.getCurrentResult().data as StudiesQuery | undefined);

describe('a list without a page', () => {
  it('grows by what fetchMore brings, and tells its last page', async () => {
    const { client } = await startWithStudies(5);
    const list = show(client);
    await expect.poll(() => shownBy(list)).toEqual(['5', '4']);

    await list.fetchMore({ variables: { page: 2 } });
    await expect.poll(() => shownBy(list)).toEqual(['5', '4', '3', '2']);
    await list.fetchMore({ variables: { page: 3 } });
    await expect.poll(() => shownBy(list)).toEqual(['5', '4', '3', '2', '1']);

    expect(list.getCurrentResult().data?.studies).toMatchObject({
      page: 3,
      size: 2,
      total: 5,
      pages: 3,
    });
  });

  it('shows a study once that a new one has moved to the next page', async () => {
    const { client, create } = await startWithStudies(4);
    const list = show(client);
    await expect.poll(() => shownBy(list)).toEqual(['4', '3']);
    await create('5');

    await list.fetchMore({ variables: { page: 2 } });

    await expect.poll(() => shownBy(list)).toEqual(['4', '3', '2']);
  });

  it('lets go of the later pages only when the first comes back with a new study', async () => {
    const { client, create } = await startWithStudies(4);
    await load(client, { size: 2 });
    await load(client, { size: 2, page: 2 });
    await load(client, { size: 2 });
    expect(look(client, { size: 2 })).toEqual(['4', '3', '2', '1']);
    await create('5');

    await load(client, { size: 2 });

    expect(look(client, { size: 2 })).toEqual(['5', '4']);
    await load(client, { size: 2, page: 2 });
    expect(look(client, { size: 2 })).toEqual(['5', '4', '3', '2']);
  });

  it('shows an edit, and reads its first page again after a create', async () => {
    const { client } = await startWithStudies(4);
    const list = show(client);
    await expect.poll(() => shownBy(list)).toEqual(['4', '3']);
    await list.fetchMore({ variables: { page: 2 } });
    await expect.poll(() => shownBy(list)).toEqual(['4', '3', '2', '1']);
    const id = list.getCurrentResult().data?.studies?.items?.[3]?.id ?? '';
    await client.mutate({
      mutation: EditStudyDocument,
      variables: { id, input: { description: 'first' } },
    });
    await expect.poll(() => shownBy(list)).toEqual(['4', '3', '2', 'first']);

    await client.mutate({
      mutation: CreateStudyDocument,
      variables: { input: { description: '5' } },
      update: evictStudies,
    });

    await expect.poll(() => shownBy(list)).toEqual(['5', '4']);
    await list.fetchMore({ variables: { page: 2 } });
    await expect.poll(() => shownBy(list)).toEqual(['5', '4', '3', '2']);
  });
});

describe('lists', () => {
  it('are kept apart by project and by size', async () => {
    const { client, emulator } = await startWithStudies(0);
    for (const projectId of projects)
      for (const number of [1, 2]) await emulator.create({ description: `${number}`, projectId });
    const [first = '', second = ''] = projects;
    await load(client, { projectId: [first] });
    await load(client, { projectId: [first], size: 1 });
    await load(client, { projectId: [first, second] });

    expect(look(client, { projectId: [first] })).toEqual(['2', '1']);
    expect(look(client, { projectId: [first], size: 1 })).toEqual(['2']);
    expect(look(client, { projectId: [first, second] })).toEqual(['2', '1', '2', '1']);
    expect(look(client, {})).toBeUndefined();
  });
});

describe('a new study', () => {
  const [ours = ''] = projects;
  const created = { input: { description: 'new', projectId: ours } };

  it('is put first in the lists of all projects by addStudy, and other lists are read again', async () => {
    const { client } = await startWithStudies(3, { projectId: ours });
    await load(client, { size: 2 });
    await load(client, { projectId: [ours] });

    await client.mutate({
      mutation: CreateStudyDocument,
      variables: created,
      update: addStudy,
    });

    expect(look(client, { size: 2 })).toEqual(['new', '3', '2']);
    expect(look(client, { projectId: [ours] })).toBeUndefined();
    const { data } = await load(client, { page: 2, size: 2 });
    expect(data?.studies?.total).toBe(4);
  });

  it('is shown before the answer comes, and goes or is replaced then, with all pages', async () => {
    const { client } = await startWithStudies(3);
    const list = show(client);
    await expect.poll(() => shownBy(list)).toEqual(['3', '2']);
    await list.fetchMore({ variables: { page: 2 } });
    const optimisticResponse = { createStudy: aStudy({ description: 'new' }) };
    const create = (variables: CreateStudyMutationVariables) => {
      const mutation = CreateStudyDocument;
      const answer = client.mutate({ mutation, variables, optimisticResponse, update: addStudy });
      expect(shownBy(list)).toEqual(['new', '3', '2', '1']);
      return answer;
    };

    await expect(create({ input: { projectId: 'refused' } })).rejects.toThrow('UUID');
    expect(list.getCurrentResult().data?.studies).toMatchObject({ page: 2, total: 3 });
    expect(shownBy(list)).toEqual(['3', '2', '1']);
    const { data } = await create(created);

    expect(shownBy(list)).toEqual(['new', '3', '2', '1']);
    expect(list.getCurrentResult().data?.studies?.items?.[0]?.id).toBe(data?.createStudy?.id);
    expect(list.getCurrentResult().data?.studies).toMatchObject({ page: 2, total: 4 });
    expect(optimisticResponse.createStudy.id).not.toBe(data?.createStudy?.id);
  });
});

describe('what could not be read', () => {
  it('is null in the place of a study, and the others are shown', async () => {
    const damaged = { ...toStudy('3'), id: 'no id' };
    const { client } = await startWithPages({
      1: toPage([toStudy('4'), damaged], { size: 2, pages: 2 }),
      2: toPage([damaged, toStudy('1')], { page: 2, size: 2, pages: 2 }),
    });
    const list = show(client, 'all');
    await expect.poll(() => shownBy(list)).toEqual(['4', null]);

    await list.fetchMore({ variables: { page: 2 }, errorPolicy: 'all' });

    await expect.poll(() => shownBy(list)).toEqual(['4', null, null, '1']);
  });

  it('keeps the other pages, and what is behind it out of the list', async () => {
    const { client, calls } = await startWithPages({
      1: toPage([toStudy('4'), toStudy('3')], { size: 2 }),
      2: { items: 'drifted' },
      3: toPage([toStudy('0')], { page: 3, size: 2 }),
    });
    const list = show(client, 'all');
    await expect.poll(() => shownBy(list)).toEqual(['4', '3']);

    const { error } = await list.fetchMore({ variables: { page: 2 }, errorPolicy: 'all' });

    expect(error).toMatchObject({ errors: [{ extensions: { code: 'UPSTREAM_CONTRACT' } }] });
    await list.fetchMore({ variables: { page: 3 } });
    expect(shownBy(list)).toEqual(['4', '3']);
    expect(look(client, { size: 2, page: 3 })).toEqual(['0']);
    expect(calls).toHaveLength(3);
  });
});
