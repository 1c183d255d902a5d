import {
  ApolloClient,
  ApolloLink,
  CombinedGraphQLErrors,
  HttpLink,
  InMemoryCache,
  gql,
} from '@apollo/client';
import { ErrorLink } from '@apollo/client/link/error';
import { RetryLink } from '@apollo/client/link/retry';
import { throwError } from 'rxjs';
import { expect, it } from 'vitest';
import {
  CreateStudyDocument,
  EditStudyDocument,
  StudyDocument,
  retryDelay,
  retryIfSafe,
  studyProblem,
} from '../../client/index.js';
import { startTestGateway } from '../support/gateway.js';
import { answerJson, type Respond } from '../support/study-api.js';
import { wholeStudy } from '../support/studies.js';
import { cut, halve, pass, startHop, toPage, type Hop } from './hop.fixture.js';

/** As docs/frontend.md tells it, but for the waiting. */
function createClient(url: string): ApolloClient {
  return new ApolloClient({
    link: ApolloLink.from([
      new RetryLink({ attempts: { max: 3, retryIf: retryIfSafe }, delay: () => 1 }),
      new ErrorLink(({ error, operation }) =>
        retryIfSafe(error, operation) ? throwError(() => error) : undefined,
      ),
      new HttpLink({ uri: `${url}/graphql`, headers: { authorization: 'Bearer token' } }),
    ]),
    cache: new InMemoryCache(),
  });
}

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

  const failed = await create(createClient(url)).catch((error: unknown) => error);

  expect(studyProblem(failed).kind).toBe('unknown');
  expect(requests()).toBe(1);
  expect(calls.map(({ method }) => method)).toEqual(['POST']);
});

it.for(losses)('edits once when $loss', async ({ hop }) => {
  const { url, calls } = await startHop(once(hop, pass));

  const failed = await edit(createClient(url)).catch((error: unknown) => error);

  expect(studyProblem(failed).kind).toBe('unknown');
  expect(calls.map(({ method }) => method)).toEqual(['PATCH']);
});

it.for(losses)('reads again when $loss', async ({ hop }) => {
  const { url, requests } = await startHop(once(hop, pass));

  const { data } = await read(createClient(url));

  expect(data?.study?.id).toBe(id);
  expect(requests()).toBe(2);
});

const done = answerJson(wholeStudy);
const wait = (seconds: number) => answerJson({}, 429, { 'retry-after': String(seconds) });
const drop: Respond = (response) => response.destroy();

it('repeats a write that the Study API asked to repeat', async () => {
  const { url, calls } = await startTestGateway({ api: once(wait(0), done) });

  const { data } = await create(createClient(url));

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

  await expect(create(createClient(url))).rejects.toThrow(CombinedGraphQLErrors);

  expect(calls).toHaveLength(1);
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

  const { data, error } = await createClient(url).mutate({ mutation, errorPolicy: 'all' });

  expect(calls).toHaveLength(2);
  // What is not repeated goes by untouched.
  expect(data).toMatchObject({ a: { id }, b: null });
  expect(error).toBeInstanceOf(CombinedGraphQLErrors);
});

it('gives up after the last attempt with what the gateway said last', async () => {
  const { url, calls } = await startTestGateway({ api: wait(0) });

  const failed = await create(createClient(url)).catch((error: unknown) => error);

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
