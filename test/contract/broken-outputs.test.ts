import { describe, expect, it } from 'vitest';
import { everyNth } from '../support/daily.js';
import { brokenFields, brokenItems, studyFields, without } from '../support/contract.js';
import { CreateStudyDocument, EditStudyDocument, StudyDocument } from 'study-gateway-client';
import { startTestGateway } from '../support/gateway.js';
import { wholeStudy, type StudyField } from '../support/studies.js';
import { answerJson } from '../support/study-api.js';

const { id } = wholeStudy;

/** Returns a selection of all fields except `left`. */
function selectAllBut(left: StudyField): string {
  const names = studyFields.map((name) =>
    name === 'progress' ? 'progress { total completed failed }' : name,
  );
  return `{ ${names.filter((name) => !name.startsWith(`${left} `) && name !== left).join(' ')} }`;
}

describe('a field that breaks the contract', () => {
  const broken = brokenFields.filter(({ field }) => field !== 'id');
  const rows = Map.groupBy(everyNth(3, broken), ({ field }) => field);

  it.each([...rows])('%s is an error at the path of the field', async (field, values) => {
    let answer: object = {};
    const { graphql } = await startTestGateway({ api: (...call) => answerJson(answer)(...call) });
    const study = { ...wholeStudy, [field]: null };
    const toError = (message: string, root: string, extensions: object): object => ({
      message,
      locations: [expect.any(Object)],
      path: [root, field],
      extensions: {
        code: 'UPSTREAM_CONTRACT',
        retryable: false,
        requestId: expect.any(String),
        ...extensions,
      },
    });
    const applied = { outcome: 'APPLIED', studyId: id };

    for (const { value, expected, received } of values) {
      answer = { ...wholeStudy, [field]: value };
      const message = `The Study API answered "${field}" with ${received} where ${expected} was expected.`;

      expect(await graphql(CreateStudyDocument, { input: {} })).toEqual({
        data: { createStudy: study },
        errors: [toError(message, 'createStudy', applied)],
      });
      expect(await graphql(EditStudyDocument, { id, input: {} })).toEqual({
        data: { editStudy: study },
        errors: [toError(message, 'editStudy', applied)],
      });
      expect(await graphql(StudyDocument, { id })).toEqual({
        data: { study },
        errors: [toError(message, 'study', {})],
      });
      expect(await graphql(`mutation { createStudy(input: {}) ${selectAllBut(field)} }`)).toEqual({
        data: { createStudy: without(field) },
      });
    }
  });

  it('is an error at an integer of progress, and the other two arrive', async () => {
    let progress: object = {};
    const { graphql } = await startTestGateway({
      api: (...call) => answerJson({ ...wholeStudy, progress })(...call),
    });

    for (const name of ['total', 'completed', 'failed'])
      for (const [received, value] of [
        ['a string', '1'],
        ['a number', 0.5],
        ['a number', 2_147_483_648],
        ['a boolean', true],
        ['an array', []],
        ['an object', {}],
      ]) {
        progress = { ...wholeStudy.progress, [name]: value };

        expect(await graphql(CreateStudyDocument, { input: {} })).toMatchObject({
          data: {
            createStudy: { ...wholeStudy, progress: { ...wholeStudy.progress, [name]: null } },
          },
          errors: [
            {
              message: `The Study API answered "progress.${name}" with ${received as string} where a 32-bit integer or null was expected.`,
              path: ['createStudy', 'progress', name],
              extensions: { code: 'UPSTREAM_CONTRACT', outcome: 'APPLIED', studyId: id },
            },
          ],
        });
      }
  });

  it('is an error of the whole list if an item is broken', async () => {
    let answer: object = {};
    const { graphql } = await startTestGateway({ api: (...call) => answerJson(answer)(...call) });

    for (const { field, value } of brokenItems) {
      answer = { ...wholeStudy, [field]: value };

      expect(await graphql(CreateStudyDocument, { input: {} })).toMatchObject({
        data: { createStudy: { ...wholeStudy, [field]: null } },
        errors: [
          {
            message: expect.stringMatching(/with an array where an array of \w+ was expected/),
            path: ['createStudy', field],
            extensions: { code: 'UPSTREAM_CONTRACT', outcome: 'APPLIED', studyId: id },
          },
        ],
      });
    }
  });

  it.each([501, 50_000])('is an error at its path if it has %d levels', async (levels) => {
    // JSON.stringify is recursive for an object with a key that is an index.
    const deep = `{"1":2,"a":${'['.repeat(levels - 1)}${']'.repeat(levels - 1)}}`;
    const body = JSON.stringify({ ...wholeStudy, solution: 1 }).replace(
      '"solution":1',
      () => `"solution":${deep}`,
    );
    const { graphql } = await startTestGateway({ api: (response) => void response.end(body) });

    expect(await graphql(CreateStudyDocument, { input: {} })).toMatchObject({
      data: { createStudy: { ...wholeStudy, solution: null } },
      errors: [
        {
          message: expect.stringContaining('with more than 500 levels where an object or null'),
          path: ['createStudy', 'solution'],
          extensions: { code: 'UPSTREAM_CONTRACT', outcome: 'APPLIED', studyId: id },
        },
      ],
    });
  });
});
