import { ApolloClient, ApolloLink, HttpLink, InMemoryCache } from '@apollo/client';
import { BatchHttpLink } from '@apollo/client/link/batch-http';
import { RetryLink } from '@apollo/client/link/retry';
import { MutationObserver, QueryClient } from '@tanstack/react-query';
import { Client, fetchExchange } from '@urql/core';
import { retryExchange } from '@urql/exchange-retry';
import { GraphQLClient } from 'graphql-request';
import { expect, it, vi } from 'vitest';
import { CreateStudyDocument, EditStudyDocument } from 'study-gateway-client';
import { wholeStudy } from '../support/studies.js';
import { cut, pass, type Hop } from './hop.fixture.js';
import { inTurn, lost, startBrowser } from './safe-writes.fixture.js';

const variables = { input: { description: 'Why?' } };

/** Creates a study with a library that retries, and returns the id of the study; nothing if it is not known. */
type Run = (url: string, safeFetch: typeof fetch) => Promise<string | undefined>;

const withApollo = async (link: ApolloLink) => {
  const client = new ApolloClient({ link, cache: new InMemoryCache() });
  const { data } = await client.mutate({
    mutation: CreateStudyDocument,
    variables,
    errorPolicy: 'all',
  });
  return data?.createStudy?.id;
};

const libraries: Readonly<Record<string, Run>> = {
  "Apollo Client's RetryLink": (uri, safeFetch) =>
    withApollo(
      ApolloLink.from([
        new RetryLink({ delay: { initial: 1, jitter: false } }),
        new HttpLink({ uri, fetch: safeFetch }),
      ]),
    ),
  "urql's retryExchange": async (url, safeFetch) => {
    const exchanges = [retryExchange({ initialDelayMs: 1 }), fetchExchange];
    const client = new Client({ url, exchanges, fetch: safeFetch });
    const { data } = await client.mutation(CreateStudyDocument, variables);
    return data?.createStudy?.id;
  },
  'TanStack Query with three retries': async (url, safeFetch) => {
    const client = new GraphQLClient(url, { fetch: safeFetch });
    const mutation = new MutationObserver(new QueryClient(), {
      mutationFn: () => client.request(CreateStudyDocument, variables),
      retry: 3,
      retryDelay: 1,
    });
    return (await mutation.mutate()).createStudy?.id;
  },
};

it.for(Object.entries(libraries))(
  'writes once with %s for a second click after four attempts that were lost',
  async ([, run]) => {
    const { open, url, keys, written } = await startBrowser(inTurn(...lost, cut));
    const { fetch: safeFetch, list } = open();

    const id = (await run(url, safeFetch)) ?? (await run(url, safeFetch));

    expect(id).toBe(wholeStudy.id);

    expect(keys).toHaveLength(6);
    expect(new Set(keys).size).toBe(1);
    expect(written()).toEqual(['Why?']);
    expect(list()).toEqual([]);
  },
);

it("leaves nothing to Apollo's RetryLink, which would send an edit again after a newer one", async () => {
  const editThenCut: Hop = (response) => void tab.edit('y').then(() => response.destroy());
  const { open, url, written } = await startBrowser(inTurn(editThenCut, pass, ...lost));
  const tab = open();
  const attempts = vi.fn<() => boolean>(() => true);
  const link = ApolloLink.from([
    new RetryLink({ attempts, delay: () => 1 }),
    new HttpLink({ uri: url, fetch: tab.fetch }),
  ]);
  const client = new ApolloClient({ link, cache: new InMemoryCache() });
  const edit = (description: string) =>
    client.mutate({
      mutation: EditStudyDocument,
      variables: { id: wholeStudy.id, input: { description } },
    });

  await expect(edit('x')).rejects.toThrow('A newer edit has replaced this one.');
  await expect(edit('z')).rejects.toThrow('The write may have been made');

  expect(written()).toEqual(['x', 'y', 'z']);
  expect(attempts).not.toHaveBeenCalled();
});

it("passes Apollo Client's batches as they are, with a warning", async () => {
  const { open, url, keys, storage } = await startBrowser();
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => {});
  const sent: unknown[] = [];
  const sender: typeof fetch = async (_, init) => {
    sent.push(init?.body);
    return new Response(JSON.stringify([{ data: { createStudy: wholeStudy } }]));
  };

  await withApollo(new BatchHttpLink({ uri: url, fetch: open({ fetch: sender }).fetch }));

  expect(sent).toEqual([expect.not.stringContaining('"idempotencyKey":"')]);
  expect(keys).toEqual([]);
  expect(Object.keys(storage)).toEqual([]);
  expect(warn).toHaveBeenCalledExactlyOnceWith(
    expect.stringContaining('without an idempotency key'),
  );
});
