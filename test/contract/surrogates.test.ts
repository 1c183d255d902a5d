import { describe, expect, it } from 'vitest';
import { createStudy, editStudy, studyId, toFields } from '../support/inputs.js';
import { startTestGateway } from '../support/gateway.js';
import { wholeStudy } from '../support/studies.js';
import { answerJson } from '../support/study-api.js';

const high = '\ud83d';
const low = '\ude00';

const textRows = [createStudy, editStudy].flatMap((operation) =>
  toFields(operation)
    .filter(({ type }) => type === 'String' || type === '[String!]')
    .map(({ path, type }) => ({ operation, field: path.join('.'), isList: type !== 'String' })),
);

describe('a lone surrogate', () => {
  it.each(textRows)(
    'in $field of $operation.name is sent as an escape',
    async ({ operation, field, isList }) => {
      const { graphql, calls } = await startTestGateway();
      const { name, inputType, toDocument } = operation;
      const text = `a${high}b`;
      const input = { [field]: isList ? ['a', 'b', text] : text };

      const result = await graphql(toDocument('$input', `($input: ${inputType}!)`), { input });

      const value = isList ? String.raw`["a","b","a\ud83db"]` : String.raw`"a\ud83db"`;
      expect(result).toEqual({ data: { [name]: { id: wholeStudy.id } } });
      expect(calls.map(({ body }) => body)).toEqual([`{"${field}":${value}}`]);
    },
  );

  it.each([
    ['a high half', high],
    ['a low half', low],
    ['both halves in the wrong order', low + high],
    ['two high halves', high + high],
    ['a half before a pair', `${high}😀`],
    ['a half after a pair', `😀${low}`],
    ['the lowest half', '\ud800'],
    ['the highest half', '\udfff'],
  ])('is read as an escape, and sent back unchanged: %s', async (_, description) => {
    const study = { ...wholeStudy, description };
    const { graphql, post, calls } = await startTestGateway({ api: answerJson(study) });

    const response = await post({ query: `{ study(id: "${studyId}") { description } }` });
    const text = await response.text();
    const read = JSON.parse(text) as { readonly data: { readonly study: object } };
    const written = await graphql(editStudy.toDocument('$input', '($input: EditStudyInput!)'), {
      input: read.data.study,
    });

    const escaped = JSON.stringify({ description });
    expect(text).toBe(`{"data":{"study":${escaped}}}\n`);
    expect(written).toEqual({ data: { editStudy: { id: studyId } } });
    expect(calls.map(({ body }) => body)).toEqual(['', escaped]);
  });
});
