import { CombinedGraphQLErrors, gql, type ApolloClient } from '@apollo/client';
import { parse } from 'graphql';
import { expect, it } from 'vitest';
import {
  CreateStudyDocument,
  EditStudyDocument,
  StudyDocument,
  retryDelay,
  retryIfSafe,
  studyProblem,
} from 'study-gateway-client';
import { startTestGateway } from '../support/gateway.js';
import { answerJson, type Respond } from '../support/study-api.js';
import { wholeStudy } from '../support/studies.js';
import { cut, halve, pass, startHop, toPage, type Hop } from './hop.fixture.js';
import { createApolloClient } from './set-ups.fixture.js';

const { id } = wholeStudy;
const input = { description: 'Why?' };
const create = (client: ApolloClient) =>
  client.mutate({ mutation: CreateStudyDocument, variables: { input } });
const edit = (client: ApolloClient) =>
  client.mutate({ mutation: EditStudyDocument, variables: { id, input } });
const read = (client: ApolloClient) => client.query({ query: StudyDocument, variables: { id } });

/** What happens the first time; the second time it goes well. */
function once<Args extends unknown[]>(
  first: (...args: Args) => void,
  then: (...args: Args) => void,
): (...args: Args) => void {
  let isFirst = true;
  return (...args) => {
    const happen = isFirst ? first : then;
    isFirst = false;
    happen(...args);
  };
}

const losses: readonly { loss: string; hop: Hop }[] = [
  { loss: 'the connection is cut', hop: cut },
  { loss: 'the answer ends in the middle', hop: halve },
  { loss: 'a proxy answers 502', hop: toPage(502) },
];

it.for(losses)('makes one study, never two, when $loss', async ({ hop }) => {
  const { url, calls, requests } = await startHop(once(hop, pass));

  const failed = await create(createApolloClient(url)).catch((error: unknown) => error);

  expect(studyProblem(failed).kind).toBe('unknown');
  expect(requests()).toBe(1);
  expect(calls.map(({ method }) => method)).toEqual(['POST']);
});

it.for(losses)('edits once when $loss', async ({ hop }) => {
  const { url, calls } = await startHop(once(hop, pass));

  const failed = await edit(createApolloClient(url)).catch((error: unknown) => error);

  expect(studyProblem(failed).kind).toBe('unknown');
  expect(calls.map(({ method }) => method)).toEqual(['PATCH']);
});

it.for(losses)('reads again when $loss', async ({ hop }) => {
  const { url, requests } = await startHop(once(hop, pass));

  const { data } = await read(createApolloClient(url));

  expect(data?.study?.id).toBe(id);
  expect(requests()).toBe(2);
});

const done = answerJson(wholeStudy);
const wait = (seconds: number) => answerJson({}, 429, { 'retry-after': String(seconds) });
const drop: Respond = (response) => response.destroy();

it('repeats a write that the Study API asked to repeat', async () => {
  const { url, calls } = await startTestGateway({ api: once(wait(0), done) });

  const { data } = await create(createApolloClient(url));

  expect(data?.createStudy?.id).toBe(id);
  expect(calls).toHaveLength(2);
});

it.for([
  { failure: 'whose outcome is UNKNOWN', first: drop },
  { failure: 'that met a 500', first: answerJson({}, 500) },
  { failure: 'that was APPLIED', first: answerJson({ id }) },
  { failure: 'that was refused', first: answerJson({}, 403) },
  { failure: 'that would have to wait for more than 10 s', first: wait(11) },
])('does not repeat a write $failure', async ({ first }) => {
  const { url, calls } = await startTestGateway({ api: once(first, done) });

  await expect(create(createApolloClient(url))).rejects.toThrow(CombinedGraphQLErrors);

  expect(calls).toHaveLength(1);
});

it.for(['UNKNOWN', 'APPLIED', undefined])(
  'does not repeat a write that is called retryable beside the outcome %s',
  (outcome) => {
    const errors = [
      { message: '', path: ['createStudy'], extensions: { outcome, retryable: true } },
    ];

    expect(retryIfSafe({ data: { createStudy: null }, errors }, { kind: 'mutation' })).toBe(false);
  },
);

it.for([
  { document: 'is not known', query: undefined },
  { document: 'has another write', query: parse('mutation { a: b c }') },
  { document: 'has a fragment', query: parse('mutation { a: b ...C } fragment C on D { e }') },
  { document: 'has another operation', query: parse('mutation A { a: b } mutation B { a: b }') },
])('does not repeat a write without its data if its document $document', ({ query }) => {
  const extensions = { outcome: 'REJECTED', retryable: true };
  const errors = [{ message: '', path: ['a'], extensions }];

  expect(retryIfSafe({ errors }, { kind: 'mutation', query })).toBe(false);
  expect(retryIfSafe({ errors }, { kind: 'mutation', query: parse('mutation { a: b }') })).toBe(
    true,
  );
});

it('does not repeat an operation of which a part is done', async () => {
  const { url, calls } = await startTestGateway({ api: once(done, wait(0)) });
  const mutation = gql`
    mutation {
      a: createStudy(input: { language: "en" }) {
        id
      }
      b: createStudy(input: { language: "fr" }) {
        id
      }
    }
  `;

  const { data, error } = await createApolloClient(url).mutate({ mutation, errorPolicy: 'all' });

  expect(calls).toHaveLength(2);
  // What is not repeated goes by untouched.
  expect(data).toMatchObject({ a: { id }, b: null });
  expect(error).toBeInstanceOf(CombinedGraphQLErrors);
});

it('gives up after the last attempt with what the gateway said last', async () => {
  const { url, calls } = await startTestGateway({ api: wait(0) });

  const failed = await create(createApolloClient(url)).catch((error: unknown) => error);

  expect(calls).toHaveLength(3);
  expect(failed).toBeInstanceOf(CombinedGraphQLErrors);
  expect(failed).toMatchObject({ errors: [{ extensions: { code: 'RATE_LIMITED' } }] });
});

it('waits for what the Study API asked for, and for longer after each attempt', () => {
  const operation = { operationType: 'mutation' };
  const asked = {
    errors: [{ message: '', extensions: { retryable: true, retryAfterSeconds: 7 } }],
  };
  const lowest = (attempt: number, error: unknown) =>
    Math.min(...Array.from({ length: 200 }, () => retryDelay(attempt, operation, error)));
  const highest = (attempt: number, error: unknown) =>
    Math.max(...Array.from({ length: 200 }, () => retryDelay(attempt, operation, error)));

  expect(lowest(1, asked)).toBeGreaterThanOrEqual(7_000);
  expect(highest(1, asked)).toBeLessThan(7_600);
  expect(highest(1, new TypeError('fetch failed'))).toBeLessThan(600);
  expect(highest(3, new TypeError('fetch failed'))).toBeGreaterThan(600);
});
