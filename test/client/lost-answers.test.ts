import { expect, it } from 'vitest';
import { CreateStudyDocument, StudyDocument, studyProblem } from 'study-gateway-client';
import { wholeStudy } from '../support/studies.js';
import { cut, halve, startHop, toPage } from './hop.fixture.js';

const nothingElse = {
  fieldErrors: [],
  upstreamMessage: undefined,
  retryAfterSeconds: undefined,
  requestId: undefined,
  studyId: undefined,
};
const noAnswer = {
  ...nothingElse,
  code: 'NO_ANSWER',
  message:
    'No answer of the gateway was read. A write may have been made: check before you repeat it.',
};
const unknown = { ...noAnswer, kind: 'unknown', outcome: 'UNKNOWN', retryable: false };

const losses = [
  { loss: 'the connection is cut', hop: cut },
  { loss: 'the answer ends in the middle', hop: halve },
  { loss: 'a proxy answers 502', hop: toPage(502) },
  { loss: 'a proxy answers 403', hop: toPage(403) },
];

it.for(losses)(
  'knows nothing of a write, and that a read changed nothing, when $loss',
  async ({ hop }) => {
    const { ask, calls } = await startHop(hop);
    const toThrown = (error: unknown) => error;

    const write = await ask(CreateStudyDocument, { input: {} }).catch(toThrown);
    expect(calls).toHaveLength(1);
    const read = await ask(StudyDocument, { id: wholeStudy.id }).catch(toThrown);

    expect(studyProblem(write)).toEqual(unknown);
    expect(studyProblem(read, 'query')).toEqual({
      ...noAnswer,
      kind: 'readFailed',
      outcome: undefined,
      retryable: true,
    });
  },
);

it.for([
  { name: 'aborted', signal: () => AbortSignal.abort(), code: 'ABORTED', retryable: false },
  { name: 'timed out', signal: () => AbortSignal.timeout(1), code: 'NO_ANSWER', retryable: true },
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
  ['an empty list of errors', { errors: [] }],
  ['an object that wraps itself', itself],
] as const)('takes %s for a write of which nothing is known', ([, thrown]) => {
  expect(studyProblem(thrown)).toEqual(unknown);
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
