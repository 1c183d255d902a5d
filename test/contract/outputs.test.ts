import { describe, expect, it } from 'vitest';
import { knownStrategies } from '../../src/study/wire.js';
import { requiredFields, studyFields, without } from '../support/contract.js';
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

  it('passes on the content of its objects unchanged', async () => {
    const inside =
      '{"a":[[{"b":null}],[],""],"constructor":{"prototype":1},"toString":"x","":0,"1":-1.5e-7,"é😀":"\\ud800"}';
    const objects = { audiencesObj: [1], problemsObj: [1, 1], solution: 1, researchGoal: 1 };
    const body = JSON.stringify({ ...wholeStudy, ...objects })
      .replace('"audiencesObj":[1]', `"audiencesObj":[${inside}]`)
      .replace('"problemsObj":[1,1]', `"problemsObj":[{},${inside}]`)
      .replace('"solution":1', `"solution":${inside}`)
      .replace('"researchGoal":1', `"researchGoal":${inside}`);
    const { graphql } = await startTestGateway({ api: answerText(body) });

    const result = await graphql(CreateStudyDocument, { input: {} });

    expect(result).toEqual({ data: { createStudy: JSON.parse(body) as unknown } });
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

  it('is read completely beside an unknown field with any name', async () => {
    let body = '';
    const { graphql } = await startTestGateway({ api: (response) => void response.end(body) });

    for (const name of ['__proto__', 'constructor', 'then', 'toJSON', 'unknown'])
      for (const value of ['null', '{"id":"y","description":7}']) {
        body = `{"${name}":${value},${JSON.stringify(without('description')).slice(1)}`;
        expect(await graphql(CreateStudyDocument, { input: {} })).toEqual({
          data: { createStudy: { ...wholeStudy, description: null } },
        });
      }
  });

  it('may come with any 2xx and any content type', async () => {
    let head: [status: number, contentType: string] = [200, ''];
    const { graphql } = await startTestGateway({
      api: (...call) => answerText(JSON.stringify(wholeStudy), ...head)(...call),
    });

    for (const status of [200, 201, 206, 299])
      for (const contentType of ['application/json', 'text/html', '']) {
        head = [status, contentType];
        expect(await graphql(CreateStudyDocument, { input: {} })).toEqual({
          data: { createStudy: wholeStudy },
        });
      }
  });
});

it('answers null for a study that the Study API does not have', async () => {
  const { graphql, calls } = await startTestGateway({ api: answerJson({ detail: 'x' }, 404) });

  const result = await graphql(StudyDocument, { id });

  expect(result).toEqual({ data: { study: null } });
  expect(calls).toMatchObject([{ method: 'GET', url: `/studies/${id}`, body: '' }]);
});
