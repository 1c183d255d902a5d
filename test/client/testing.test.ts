import { expect, it } from 'vitest';
import { CreateStudyDocument, StudyDocument, studyProblem } from 'study-gateway-client';
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
  const { __typename: __, ...shown } = study;
  const ours =
    kind === 'applied' ? failedResponses.applied('createStudy', shown) : failedResponses[kind]();

  const [error] = ours.errors;
  expect(ours.data).toEqual(real.data);
  expect(error?.path).toEqual(real.errors?.[0]?.path);
  expect({ ...error?.extensions, requestId: '' }).toEqual({
    ...real.errors?.[0]?.extensions,
    requestId: '',
  });
  expect(studyProblem(ours).kind).toBe(kind);
});

it('makes whole studies of the gateway, with ids of their own', async () => {
  const { graphql } = await startTestGateway({ api: answerJson(record) });

  const { data, errors } = await graphql(StudyDocument, { id: study.id });

  expect({ data, errors }).toEqual({ data: { study: record }, errors: undefined });
  expect(aStudy().id).not.toBe(study.id);
  expect(aStudy({ description: 'When?' })).toMatchObject({ description: 'When?', language: 'en' });
});
