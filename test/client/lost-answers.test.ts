import { expect, it } from 'vitest';
import { CreateStudyDocument, StudyDocument, studyProblem } from 'study-gateway-client';
import { wholeStudy } from '../support/studies.js';
import { cut, halve, startHop, toPage } from './hop.fixture.js';
import { withEachLibrary } from './libraries.fixture.js';

const nothingElse = {
  fieldErrors: [],
  upstreamMessage: undefined,
  retryAfterSeconds: undefined,
  requestId: undefined,
  studyId: undefined,
};
const unknown = { ...nothingElse, kind: 'unknown', outcome: 'UNKNOWN', retryable: false };
const consequence = 'Whether anything was changed is not known: check before repeating it.';
const noAnswer = { code: 'NETWORK_ERROR', message: 'The gateway gave no answer.' };
const unreadable = (status: number) => ({
  code: 'UNREADABLE_ANSWER',
  message: `The answer, with status ${status}, is not one of the gateway's.`,
});

const losses = [
  ...withEachLibrary([
    { loss: 'the connection is cut', hop: cut, told: noAnswer, mayPass: true },
    { loss: 'the answer ends in the middle', hop: halve, told: noAnswer, mayPass: true },
  ]),
  ...withEachLibrary([
    { loss: 'a proxy answers 502', hop: toPage(502), told: unreadable(502), mayPass: true },
    { loss: 'a proxy answers 403', hop: toPage(403), told: unreadable(403), mayPass: false },
    // Users of a bare `fetch` look at the status themselves.
  ]).filter(({ name }) => name !== 'fetch'),
];

it.for(losses)(
  'knows nothing of a write, and that a read changed nothing, when $loss, from $name',
  async ({ run, hop, told, mayPass }) => {
    const { url, calls } = await startHop(hop);

    const write = await run(url, 'token', CreateStudyDocument, { input: {} });
    expect(calls).toHaveLength(1);
    const read = await run(url, 'token', StudyDocument, { id: wholeStudy.id });

    const message = `${told.message} ${consequence}`;
    expect(studyProblem(write)).toEqual({ ...unknown, ...told, message });
    expect(studyProblem(read, 'query')).toEqual({
      ...nothingElse,
      ...told,
      kind: 'readFailed',
      outcome: undefined,
      retryable: mayPass,
    });
  },
);

it.for([
  { name: 'called off', signal: () => AbortSignal.abort(), code: 'ABORTED', retryable: false },
  {
    name: 'timed out',
    signal: () => AbortSignal.timeout(1),
    code: 'NETWORK_ERROR',
    retryable: true,
  },
])('tells a read that was $name', async ({ signal, code, retryable }) => {
  const { url } = await startHop(() => {});

  const thrown = await fetch(`${url}/graphql`, { signal: signal() }).catch(
    (error: unknown) => error,
  );

  expect(studyProblem(thrown, 'query')).toMatchObject({ kind: 'readFailed', code, retryable });
});

const itself: { error?: unknown } = {};
itself.error = itself;

it.for([
  ['nothing', undefined],
  ['a text', 'no'],
  ['a defect of the page', new TypeError('x is not a function')],
  ['several errors that are not of GraphQL', new AggregateError([new Error('one')], 'all failed')],
  ['an empty list of errors', { errors: [] }],
  ['an object that wraps itself', itself],
] as const)('takes %s for a write of which nothing is known', ([, thrown]) => {
  const message = `Something unforeseen happened. ${consequence}`;
  expect(studyProblem(thrown)).toEqual({ ...unknown, code: 'UNRECOGNIZED', message });
});

it('knows nothing of a write that failed in somebody else’s way', () => {
  const answer = { errors: [{ message: 'Subgraph failed', extensions: { code: 'ROUTER' } }] };

  expect(studyProblem(answer)).toMatchObject({
    kind: 'unknown',
    code: 'ROUTER',
    message: 'Subgraph failed',
  });
  expect(studyProblem(answer, 'query')).toMatchObject({ kind: 'readFailed', retryable: false });
});
