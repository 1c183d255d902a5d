import { describe, expect, it } from 'vitest';
import { knownStrategies } from '../../src/study/wire.js';
import { requiredFields, studyFields } from '../support/contract.js';
import {
  CreateStudyDocument,
  EditStudyDocument,
  StudiesDocument,
  StudyDocument,
} from 'study-gateway-client';
import { startTestGateway } from '../support/gateway.js';
import { toPage, wholeStudy } from '../support/studies.js';
import { answerJson, type Respond } from '../support/study-api.js';

const { id } = wholeStudy;
const nullableFields = studyFields.filter((field) => !requiredFields.includes(field));

/** Answers with this text, because some JSON cannot be written as an object literal. */
function answerText(body: string, status = 200, contentType = 'application/json'): Respond {
  return (response) => {
    response.writeHead(status, { 'content-type': contentType });
    response.end(body);
  };
}

describe('a study that conforms to the contract', () => {
  it('is answered with all 23 fields, by each of the three operations', async () => {
    const { graphql } = await startTestGateway();

    expect(await graphql(CreateStudyDocument, { input: {} })).toEqual({
      data: { createStudy: wholeStudy },
    });
    expect(await graphql(EditStudyDocument, { id, input: {} })).toEqual({
      data: { editStudy: wholeStudy },
    });
    expect(await graphql(StudyDocument, { id })).toEqual({ data: { study: wholeStudy } });
  });

  const nothing = Object.fromEntries(nullableFields.map((field) => [field, null]));
  const empty = Object.fromEntries(requiredFields.slice(2).map((field) => [field, []]));
  const { projectId } = wholeStudy;

  it.each([
    ['missing', { id, projectId, planId: null, ...empty }],
    ['null', { id, projectId, ...empty, ...nothing }],
  ])('has null if a nullable field is %s', async (_, answer) => {
    const { graphql, log } = await startTestGateway({ api: answerJson(answer) });

    const result = await graphql(CreateStudyDocument, { input: {} });

    expect(result).toEqual({ data: { createStudy: { id, projectId, ...empty, ...nothing } } });
    expect(log).not.toContainEqual(expect.objectContaining({ field: expect.anything() }));
  });

  it('has null for a missing integer of progress', async () => {
    const progress = { total: 2_147_483_647, completed: null, started: 'x' };
    const { graphql } = await startTestGateway({ api: answerJson({ ...wholeStudy, progress }) });

    const read = { total: 2_147_483_647, completed: null, failed: null };
    expect(await graphql(CreateStudyDocument, { input: {} })).toEqual({
      data: { createStudy: { ...wholeStudy, progress: read } },
    });
  });

  it('has any strategy, documented or not', async () => {
    let strategy = '';
    const gateway = await startTestGateway({
      api: (...call) => {
        const study = { ...wholeStudy, strategy };
        const isList = call[1].method === 'GET';
        answerJson(isList ? toPage([wholeStudy, study]) : study)(...call);
      },
    });

    for (strategy of [knownStrategies[5], 'seventh_strategy', 'Concept study', '']) {
      const study = { ...wholeStudy, strategy };
      expect(await gateway.graphql(CreateStudyDocument, { input: {} })).toEqual({
        data: { createStudy: study },
      });
      expect(await gateway.graphql(StudiesDocument)).toEqual({
        data: { studies: toPage([wholeStudy, study]) },
      });
    }
    expect(gateway.log.filter(({ level }) => Number(level) > 30)).toEqual([]);
  });

  it.each([
    ['a key __proto__', '{"__proto__":{"a":1},"b":2}'],
    ['500 levels', `{"a":${'['.repeat(499)}${']'.repeat(499)}}`],
  ])('passes on %s in its objects', async (_, solution) => {
    const body = JSON.stringify({ ...wholeStudy, solution: 1 }).replace(
      '"solution":1',
      () => `"solution":${solution}`,
    );
    const { post } = await startTestGateway({ api: answerText(body) });

    const response = await post({ query: 'mutation { createStudy(input: {}) { solution } }' });

    expect((await response.text()).trim()).toBe(
      `{"data":{"createStudy":{"solution":${solution}}}}`,
    );
  });
});

it('answers null for a study that the Study API does not have', async () => {
  const { graphql, calls } = await startTestGateway({ api: answerJson({ detail: 'x' }, 404) });

  const result = await graphql(StudyDocument, { id });

  expect(result).toEqual({ data: { study: null } });
  expect(calls).toMatchObject([{ method: 'GET', url: `/studies/${id}`, body: '' }]);
});
