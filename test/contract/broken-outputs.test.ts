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
  it.each(
    everyNth(
      3,
      brokenFields.filter(({ field }) => field !== 'id'),
    ),
  )('$title is an error at the path of the field', async (row) => {
    const { field, value, expected, received } = row;
    const { graphql } = await startTestGateway({
      api: answerJson({ ...wholeStudy, [field]: value }),
    });

    const create = await graphql(CreateStudyDocument, { input: {} });
    const edit = await graphql(EditStudyDocument, { id, input: {} });
    const read = await graphql(StudyDocument, { id });
    const unselected = await graphql(`mutation { createStudy(input: {}) ${selectAllBut(field)} }`);

    const study = { ...wholeStudy, [field]: null };
    const message = `The Study API answered "${field}" with ${received} where ${expected} was expected.`;
    const toError = (root: string, extensions: object): object => ({
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
    expect(create).toEqual({
      data: { createStudy: study },
      errors: [toError('createStudy', applied)],
    });
    expect(edit).toEqual({ data: { editStudy: study }, errors: [toError('editStudy', applied)] });
    expect(read).toEqual({ data: { study }, errors: [toError('study', {})] });
    expect(unselected).toEqual({ data: { createStudy: without(field) } });
  });

  it.each(['total', 'completed', 'failed'])(
    'is an error at progress.%s, and the other two integers arrive',
    async (name) => {
      for (const [received, value] of [
        ['a string', '1'],
        ['a number', 0.5],
        ['a number', 2_147_483_648],
        ['a boolean', true],
        ['an array', []],
        ['an object', {}],
      ]) {
        const progress = { ...wholeStudy.progress, [name]: value };
        const { graphql } = await startTestGateway({
          api: answerJson({ ...wholeStudy, progress }),
        });

        const result = await graphql(CreateStudyDocument, { input: {} });

        expect(result).toMatchObject({
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
    },
  );

  it.each(everyNth(3, brokenItems))(
    'is an error of the whole list if $field is $value',
    async (row) => {
      const { field, value } = row;
      const { graphql } = await startTestGateway({
        api: answerJson({ ...wholeStudy, [field]: value }),
      });

      const result = await graphql(CreateStudyDocument, { input: {} });

      expect(result).toMatchObject({
        data: { createStudy: { ...wholeStudy, [field]: null } },
        errors: [
          {
            path: ['createStudy', field],
            extensions: { code: 'UPSTREAM_CONTRACT', outcome: 'APPLIED', studyId: id },
          },
        ],
      });
    },
  );

  it.each([
    { field: 'audiences', value: ['a', 1] },
    { field: 'audiencesObj', value: [1] },
  ])(
    'names the expected type of the list or the item, for $field = $value',
    async ({ field, value }) => {
      const { graphql } = await startTestGateway({
        api: answerJson({ ...wholeStudy, [field]: value }),
      });

      const { errors } = await graphql(CreateStudyDocument, { input: {} });

      // The message must name either the list and the expected list, or the item and the expected item.
      expect(errors?.[0]?.message).toMatch(
        /"\w+" with .+ where an array of \w+ was expected|"\w+\W\d\W?" with a number where an? \w+ was expected/,
      );
    },
  );

  it('is an error at its own path when several fields are broken', async () => {
    const answer = {
      ...wholeStudy,
      description: 1,
      progress: { total: 'x' },
      strategy: ['seventh'],
    };
    const { graphql } = await startTestGateway({ api: answerJson(answer) });

    const { data, errors } = await graphql(CreateStudyDocument, { input: {} });

    const progress = { total: null, completed: null, failed: null };
    const study = { ...wholeStudy, description: null, progress, strategy: null };
    expect(data).toEqual({ createStudy: study });
    expect(errors?.map(({ path }) => path?.join('.'))).toEqual([
      'createStudy.description',
      'createStudy.progress.total',
      'createStudy.strategy',
    ]);
  });

  it('has an error for each null when every field except the id is broken', async () => {
    const broken = Object.fromEntries(studyFields.map((field) => [field, Number.MAX_VALUE]));
    const { graphql } = await startTestGateway({ api: answerJson({ ...broken, id }) });

    const { data, errors } = await graphql(CreateStudyDocument, { input: {} });

    const others = studyFields.filter((field) => field !== 'id');
    const nulls = Object.fromEntries(others.map((field) => [field, null]));
    expect(data).toEqual({ createStudy: { id, ...nulls } });
    expect(errors?.map(({ path }) => path?.join('.')).toSorted()).toEqual(
      others.map((field) => `createStudy.${field}`).toSorted(),
    );
  });

  it('is no error if the broken field is not selected', async () => {
    const { graphql } = await startTestGateway({ api: answerJson({ id }) });

    const result = await graphql('mutation { createStudy(input: {}) { id status } }');

    expect(result).toEqual({ data: { createStudy: { id, status: null } } });
  });

  it.each([2_000, 50_000])(
    'does not lose the whole answer if it is an object with a depth of %d',
    async (depth) => {
      const deep = `{"a":${'['.repeat(depth)}${']'.repeat(depth)}}`;
      const body = JSON.stringify({ ...wholeStudy, solution: 1 }).replace(
        '"solution":1',
        `"solution":${deep}`,
      );
      const { graphql } = await startTestGateway({ api: (response) => void response.end(body) });

      const result = await graphql('mutation { createStudy(input: {}) { id solution } }');

      expect(result).toMatchObject({ data: { createStudy: { id } } });
      for (const { path, extensions } of result.errors ?? []) {
        expect(path).toEqual(['createStudy', 'solution']);
        expect(extensions).toMatchObject({ code: 'UPSTREAM_CONTRACT', outcome: 'APPLIED' });
      }
    },
  );
});
