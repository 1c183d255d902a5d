import { ApolloClient, HttpLink, InMemoryCache } from '@apollo/client';
import { Client, fetchExchange } from '@urql/core';
import { GraphQLClient } from 'graphql-request';
import { expect, it } from 'vitest';
import {
  CreateStudyDocument,
  newIdempotencyKey,
  retryLostWrites,
  studyProblem,
} from 'study-gateway-client';
import { wholeStudy } from '../support/studies.js';
import { cut, halve, pass, startHop, toPage, type Hop } from './hop.fixture.js';

const impatient = retryLostWrites(fetch, { longestWaitsMs: [2, 4, 8] });
const headers = { authorization: 'Bearer token' };
const toVariables = () => ({ input: { description: 'Why?' }, idempotencyKey: newIdempotencyKey() });

type Run = (url: string, variables: ReturnType<typeof toVariables>) => Promise<unknown>;

const clients: Readonly<Record<string, Run>> = {
  'Apollo Client': async (uri, variables) => {
    const link = new HttpLink({ uri, headers, fetch: impatient });
    const client = new ApolloClient({ link, cache: new InMemoryCache() });
    const { data } = await client.mutate({ mutation: CreateStudyDocument, variables });
    return data?.createStudy?.id;
  },
  urql: async (url, variables) => {
    const exchanges = [fetchExchange];
    const client = new Client({ url, exchanges, fetchOptions: { headers }, fetch: impatient });
    const { data, error } = await client.mutation(CreateStudyDocument, variables);
    if (error) throw error;
    return data?.createStudy?.id;
  },
  'graphql-request': async (url, variables) => {
    const client = new GraphQLClient(url, { headers, fetch: impatient });
    return (await client.request(CreateStudyDocument, variables)).createStudy?.id;
  },
};
const apollo = clients['Apollo Client']!;

/** The hops in turn, and `pass` after them. */
function inTurn(...hops: readonly Hop[]): Hop {
  const left = [...hops];
  return (...args) => (left.shift() ?? pass)(...args);
}

it.for(Object.entries(clients))(
  'sends a write with a key again when its answer is lost, and stores one study, with %s',
  async ([, run]) => {
    const { url, calls, requests } = await startHop(inTurn(cut, halve, toPage(502)));

    expect(await run(`${url}/graphql`, toVariables())).toBe(wholeStudy.id);

    expect(requests()).toBe(4);
    expect(calls.filter(({ method }) => method === 'POST')).toHaveLength(1);
  },
);

it('gives up after four tries', async () => {
  const { url, requests } = await startHop(cut);

  const thrown = await apollo(`${url}/graphql`, toVariables()).catch((error: unknown) => error);

  expect(studyProblem(thrown)).toMatchObject({ kind: 'unknown', code: 'NETWORK_ERROR' });
  expect(requests()).toBe(4);
});

it('does not take a repeat that was not sent for the end of a write whose answer is lost', async () => {
  const extensions = { code: 'OVERLOADED', outcome: 'NOT_SENT', retryable: true };
  const errors = [{ message: 'Full', path: ['createStudy'], extensions }];
  const refuse: Hop = (response) =>
    pass(response, JSON.stringify({ errors, data: { createStudy: null } }));
  const { url, requests } = await startHop(inTurn(cut, refuse, refuse, refuse));

  const thrown = await apollo(`${url}/graphql`, toVariables()).catch((error: unknown) => error);

  expect(studyProblem(thrown)).toMatchObject({ kind: 'unknown', code: 'NETWORK_ERROR' });
  expect(requests()).toBe(4);
});

it.for([
  { what: 'a refusal', hops: [toPage(403)], operations: undefined },
  { what: 'an answer of the gateway', hops: [], operations: undefined },
  { what: 'a lost answer of another operation', hops: [cut], operations: ['Other'] },
] as const)('sends once after $what', async ({ hops, operations }) => {
  const { url, requests } = await startHop(inTurn(...hops));
  const patient = retryLostWrites(fetch, {
    ...(operations && { operations }),
    longestWaitsMs: [1],
  });
  const client = new GraphQLClient(`${url}/graphql`, { headers, fetch: patient });

  await client.request(CreateStudyDocument, toVariables()).catch(() => undefined);

  expect(requests()).toBe(1);
});

it('sends a write without a key once, and one that was called off', async () => {
  const { url, requests } = await startHop(cut);
  const client = new GraphQLClient(`${url}/graphql`, { headers, fetch: impatient });
  const { input } = toVariables();
  await client.request(CreateStudyDocument, { input }).catch(() => undefined);
  expect(requests()).toBe(1);

  const signal = AbortSignal.abort();
  const variables = toVariables();
  const call = client.request({ document: CreateStudyDocument, variables, signal });
  await expect(call).rejects.toThrow('aborted');
  expect(requests()).toBe(1);
});
