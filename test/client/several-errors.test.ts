import type { TypedDocumentNode } from '@graphql-typed-document-node/core';
import { parse } from 'graphql';
import { expect, it } from 'vitest';
import { studyProblem } from 'study-gateway-client';
import { startTestGateway } from '../support/gateway.js';
import { answerJson, type Respond } from '../support/study-api.js';
import { wholeStudy } from '../support/studies.js';
import { changeErrors, judgeFieldsAlone, startHop, toRetryable } from './hop.fixture.js';

const twoCreates: TypedDocumentNode<unknown, never> = parse(
  'mutation { a: createStudy(input: {}) { id audiences } b: createStudy(input: {}) { id audiences } }',
);

const done = answerJson(wholeStudy);
const drift = answerJson({ ...wholeStudy, audiences: null });
const wait = (seconds: number) => answerJson({}, 429, { 'retry-after': String(seconds) });

const refuse = (field: string) =>
  answerJson({ detail: [{ loc: ['body', field], msg: 'No' }] }, 422);

/** Each call is answered by the next of `answers`. */
function inTurn(answers: readonly Respond[]): Respond {
  const left = answers.values();
  return (...call) => left.next().value?.(...call);
}

const rows = [
  {
    rule: 'does not call an operation retryable of which a part is done',
    answers: [done, wait(3)],
    told: {
      kind: 'rejected',
      code: 'RATE_LIMITED',
      retryable: false,
      retryAfterSeconds: undefined,
    },
  },
  {
    rule: 'calls it retryable when all of it is',
    answers: [wait(7), wait(3)],
    told: { kind: 'rejected', code: 'RATE_LIMITED', retryable: true, retryAfterSeconds: 7 },
  },
  {
    rule: 'does not call it retryable when one error is not',
    answers: [wait(3), answerJson({}, 403)],
    told: { kind: 'rejected', code: 'RATE_LIMITED', retryable: false, retryAfterSeconds: 3 },
  },
  {
    rule: 'tells of the values of all that was refused',
    answers: [refuse('projectId'), refuse('status')],
    told: {
      kind: 'rejected',
      fieldErrors: [
        { path: ['input', 'projectId'], message: 'No' },
        { path: ['input', 'status'], message: 'No' },
      ],
    },
  },
  {
    rule: 'puts UNKNOWN before APPLIED',
    answers: [drift, answerJson({}, 500)],
    told: { kind: 'unknown', code: 'UPSTREAM_ERROR', retryable: false },
  },
  {
    rule: 'puts APPLIED before REJECTED',
    answers: [answerJson({}, 403), drift],
    told: { kind: 'applied', studyId: wholeStudy.id, retryable: false },
  },
];

it.for(rows)('$rule', async ({ answers, told }) => {
  const { graphql } = await startTestGateway({ api: inTurn(answers) });

  expect(studyProblem(await graphql(twoCreates))).toMatchObject(told);
});

/** Routers that change the errors, and what is told all the same. */
const ofRouters = [
  {
    lie: 'calls an operation retryable of which a part is done',
    answers: [done, wait(3)],
    hop: judgeFieldsAlone,
    told: { kind: 'rejected', code: 'RATE_LIMITED', retryable: false },
  },
  {
    lie: 'calls an operation retryable whose outcome is UNKNOWN',
    answers: [answerJson({}, 500), answerJson({}, 500)],
    hop: changeErrors((errors) => errors.map(toRetryable)),
    told: { kind: 'unknown', code: 'UPSTREAM_ERROR', retryable: false },
  },
  ...['POSTPONED', null].map((outcome) => ({
    lie: `answers the outcome ${outcome}, which the client does not know`,
    answers: [wait(3), wait(3)],
    hop: changeErrors((errors) =>
      errors.map((error) => ({
        ...error,
        extensions: { ...(error.extensions as object), outcome, retryable: true },
      })),
    ),
    told: { kind: 'unknown', retryable: false },
  })),
];

it.for(ofRouters)('does not believe a router that $lie', async ({ answers, hop, told }) => {
  const { ask } = await startHop(hop, { api: inTurn(answers) });

  expect(studyProblem(await ask(twoCreates))).toMatchObject(told);
});

it('finds the data of an error though the result around the error has none', async () => {
  const { graphql } = await startTestGateway({ api: inTurn([done, wait(3)]) });

  const { data, errors } = await graphql(twoCreates);

  const error = { data, errors: errors?.map(toRetryable) };
  expect(studyProblem({ data: null, error })).toMatchObject({ retryable: false });
});

it('calls a read retryable beside another that went well', async () => {
  const { graphql } = await startTestGateway({
    api: (response, call, request) =>
      (call.url.endsWith(wholeStudy.id) ? done : wait(0))(response, call, request),
  });

  const response = await graphql(
    `{ a: study(id: "${wholeStudy.id}") { id } b: study(id: "${wholeStudy.projectId}") { id } }`,
  );

  expect(response.data).toEqual({ a: { id: wholeStudy.id }, b: null });
  expect(studyProblem(response)).toMatchObject({ kind: 'readFailed', retryable: true });
});
