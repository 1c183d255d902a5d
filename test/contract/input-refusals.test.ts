import { describe, expect, it } from 'vitest';
import { everyNth } from '../support/daily.js';
import {
  createOnlyFields,
  createStudy,
  editStudy,
  nest,
  nestLiteral,
  studyId,
  toFields,
  toLabel,
  toLiteral,
  type FieldType,
} from '../support/inputs.js';
import { refused, toVerdict } from '../support/refusals.js';
import { startTestGateway } from '../support/gateway.js';

/** Values that are invalid for a field of the type, as a variable or inline. */
const wrongValues: Record<FieldType, readonly unknown[]> = {
  String: [0, 1.5, true, [], ['a'], {}],
  // More invalid UUIDs and DateTimes: uuids.test.ts and scalars.test.ts.
  UUID: ['', 'id', 7, true, ['123e4567-e89b-12d3-a456-426614174000'], {}],
  DateTime: ['', 'today', 1_767_225_600, true, ['2026-03-01T08:30:00Z'], {}],
  Boolean: ['true', '', 0, 1, [], {}],
  Int: ['1', '', 1.5, 2_147_483_648, -2_147_483_649, 1e20, true, [], {}],
  '[String!]': [0, true, {}, [1], ['a', null], [['a']], [{}]],
  ProgressInput: ['', 1, true, [], { total: '1' }, { total: 0.5 }, { started: 1 }],
};

const rows = [createStudy, editStudy].flatMap((operation) =>
  toFields(operation).flatMap(({ path, type }) =>
    wrongValues[type].map((value) => ({
      operation,
      path,
      type,
      value,
      title: `${operation.name} refuses ${path.join('.')} = ${toLabel(value)}`,
    })),
  ),
);

describe('a value of a wrong type', () => {
  it.each(everyNth(3, rows))('$title', async ({ operation, path, type, value }) => {
    const { graphql, calls } = await startTestGateway();
    const { inputType, toDocument } = operation;
    const input = nest(path, value);

    const verdicts = [
      await graphql(toDocument('$input', `($input: ${inputType}!)`), { input }),
      await graphql(toDocument(nestLiteral(path, '$value'), `($value: ${type})`), { value }),
      await graphql(toDocument(toLiteral(input))),
      await graphql(toDocument('$input', `($input: ${inputType}! = ${toLiteral(input)})`)),
    ].map(toVerdict);

    expect(verdicts).toEqual([
      refused('BAD_USER_INPUT'),
      refused('BAD_USER_INPUT', false),
      refused('GRAPHQL_VALIDATION_FAILED'),
      refused('GRAPHQL_VALIDATION_FAILED'),
    ]);
    expect(calls).toEqual([]);
  });

  it.each([null, 0, '', 'input', true, [], [{}, {}]])(
    'refuses %j in place of a whole input',
    async (input) => {
      const { graphql, calls } = await startTestGateway();

      const verdicts = [
        await graphql(createStudy.toDocument('$input', '($input: CreateStudyInput!)'), { input }),
        await graphql(createStudy.toDocument(toLiteral(input))),
      ].map(toVerdict);

      expect(verdicts).toEqual([refused('BAD_USER_INPUT'), refused('GRAPHQL_VALIDATION_FAILED')]);
      expect(calls).toEqual([]);
    },
  );
});

describe('a field that the input does not have', () => {
  const unknown = ['id', 'planId', 'summaries', 'Description', '__proto__', 'constructor'];

  it.each([
    { operation: editStudy, field: 'problems', value: '["p"]' },
    { operation: editStudy, field: 'problems', value: '[]' },
    { operation: editStudy, field: 'solutionId', value: `"${studyId}"` },
    { operation: editStudy, field: 'researchGoalId', value: `"${studyId}"` },
    ...[createStudy, editStudy].flatMap((operation) =>
      unknown.map((field) => ({ operation, field, value: 'null' })),
    ),
    ...Object.keys(createOnlyFields).map((field) => ({
      operation: editStudy,
      field,
      value: 'null',
    })),
  ])('$operation.name refuses $field = $value', async ({ operation, field, value }) => {
    const { graphql, calls } = await startTestGateway();
    const { inputType, toDocument } = operation;
    // JSON.parse, because an object literal would treat `__proto__` as the prototype, not as a field.
    const input: unknown = JSON.parse(`{"description":"d","${field}":${value}}`);

    const verdicts = [
      await graphql(toDocument('$input', `($input: ${inputType}!)`), { input }),
      await graphql(toDocument(`{ description: "d", ${field}: ${value} }`)),
    ].map(toVerdict);

    expect(verdicts).toEqual([refused('BAD_USER_INPUT'), refused('GRAPHQL_VALIDATION_FAILED')]);
    expect(calls).toEqual([]);
  });
});
