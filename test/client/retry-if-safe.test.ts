import { CombinedGraphQLErrors, type ApolloClient } from '@apollo/client';
import { expect, it } from 'vitest';
import {
  CreateStudyDocument,
  EditStudyDocument,
  StudyDocument,
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

it.for(
  losses.flatMap((row) => [
    { ...row, write: create, method: 'POST' },
    { ...row, write: edit, method: 'PATCH' },
  ]),
)('sends one $method, never two, when $loss', async ({ hop, write, method }) => {
  const { url, calls, requests } = await startHop(once(hop, pass));

  const failed = await write(createApolloClient(url)).catch((error: unknown) => error);

  expect(studyProblem(failed).kind).toBe('unknown');
  expect(requests()).toBe(1);
  expect(calls.map((call) => call.method)).toEqual([method]);
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

it('does not repeat a write whose data the library hides, unless it was refused as a whole', () => {
  const extensions = { outcome: 'REJECTED', retryable: true };

  expect(
    [['a'], undefined].map((path) =>
      retryIfSafe({ errors: [{ message: '', path, extensions }] }, { kind: 'mutation' }),
    ),
  ).toEqual([false, true]);
});

it('gives up after the last attempt with what the gateway said last', async () => {
  const { url, calls } = await startTestGateway({ api: wait(0) });

  const failed = await create(createApolloClient(url)).catch((error: unknown) => error);

  expect(calls).toHaveLength(3);
  expect(failed).toBeInstanceOf(CombinedGraphQLErrors);
  expect(failed).toMatchObject({ errors: [{ extensions: { code: 'RATE_LIMITED' } }] });
});
