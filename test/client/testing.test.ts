import { expect, expectTypeOf, it } from 'vitest';
import {
  CreateStudyDocument,
  matchProblem,
  StudyDocument,
  studyProblem,
  type StudyProblem,
} from 'study-gateway-client';
import { aStudy, failedResponses } from 'study-gateway-client/testing';
import { startTestGateway, type TestGatewayOptions } from '../support/gateway.js';
import { answerJson } from '../support/study-api.js';

const study = aStudy();
const { __typename: _, ...record } = study;
const detail = [
  { loc: ['body', 'projectId'], msg: 'There is no such project.', type: 'value_error' },
];

/** What the gateway has before it, for one failed response of each kind. */
const failures: Readonly<Record<keyof typeof failedResponses, TestGatewayOptions>> = {
  notSent: { studyApiUrl: 'http://127.0.0.1:1' },
  rejected: { api: answerJson({ detail }, 422) },
  applied: { api: answerJson({ ...record, audiences: null }) },
  unknown: { api: (response) => response.destroy() },
  readFailed: { api: (response) => response.destroy() },
};
const kinds = Object.keys(failures) as (keyof typeof failedResponses)[];

it.for(kinds)('has a response of the kind %s as the gateway answers', async (kind) => {
  const { graphql } = await startTestGateway(failures[kind]);
  const { id } = study;

  const real = await (kind === 'readFailed'
    ? graphql(StudyDocument, { id })
    : graphql(CreateStudyDocument, { input: { projectId: id } }));
  const { __typename: __, ...written } = study;
  const ours =
    kind === 'applied' ? failedResponses.applied('createStudy', written) : failedResponses[kind]();

  const [error] = ours.errors;
  expect(ours.data).toEqual(real.data);
  expect(error?.path).toEqual(real.errors?.[0]?.path);
  expect({ ...error?.extensions, requestId: '' }).toEqual({
    ...real.errors?.[0]?.extensions,
    requestId: '',
  });
  const problem = studyProblem(ours);
  const shown = matchProblem(problem, {
    notSent: () => 'notSent',
    rejected: () => 'rejected',
    applied: () => 'applied',
    unknown: () => 'unknown',
    readFailed: () => 'readFailed',
  });
  expect([problem.kind, shown]).toEqual([kind, kind]);
});

// Compiled by `npm run check`, never run.
export function leaveOneOut(problem: StudyProblem): string | undefined {
  // @ts-expect-error: `unknown` is left out
  return matchProblem<string | undefined>(problem, {
    notSent: () => '',
    rejected: () => '',
    applied: (own) => {
      expectTypeOf(own.outcome).toEqualTypeOf<'APPLIED'>();
      return own.studyId;
    },
    readFailed: () => '',
  });
}

it('makes whole studies of the gateway, with ids of their own', async () => {
  const { graphql } = await startTestGateway({ api: answerJson(record) });

  const { data, errors } = await graphql(StudyDocument, { id: study.id });

  expect({ data, errors }).toEqual({ data: { study: record }, errors: undefined });
  expect(aStudy().id).not.toBe(study.id);
  expect(aStudy({ description: 'When?' })).toMatchObject({ description: 'When?', language: 'en' });
});
