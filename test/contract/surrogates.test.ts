import { describe, expect, it } from 'vitest';
import { createStudy, editStudy, studyId, toFields } from '../support/inputs.js';
import { refused, toVerdict } from '../support/refusals.js';
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

  it.each([
    ['raw', high],
    ['escaped', String.raw`\ud83d`],
    ['escaped with braces', String.raw`\u{d83d}`],
    ['escaped in the wrong order', String.raw`\ude00\ud83d`],
  ])('is a syntax error in a literal, %s', async (_, text) => {
    const { graphql, calls } = await startTestGateway();

    const verdicts = [
      await graphql(createStudy.toDocument(`{ description: "${text}" }`)),
      await graphql(createStudy.toDocument(`{ files: ["a", "${text}"] }`)),
      await graphql(createStudy.toDocument('{ status: $s }', `($s: String = "${text}")`)),
    ].map(toVerdict);

    expect(verdicts).toEqual(verdicts.map(() => refused('GRAPHQL_PARSE_FAILED')));
    expect(calls).toEqual([]);
  });
});

describe('a text that UTF-8 can encode', () => {
  it.each([
    '😀',
    '\ud800\udc00\udbff\udfff',
    '\ud7ff\ue000\uffff',
    String.raw`\ud800`,
    String.raw`\\ud83d and \udfff`,
    String.raw`😀 \ud83d \\`,
    '�',
  ])('is sent unchanged: %j', async (text) => {
    const { graphql, calls } = await startTestGateway();
    const input = { description: text, audiences: [text] };

    await graphql(createStudy.toDocument('$input', '($input: CreateStudyInput!)'), { input });
    await graphql(
      createStudy.toDocument(
        `{ description: ${JSON.stringify(text)}, audiences: ${JSON.stringify(text)} }`,
      ),
    );

    const body = JSON.stringify(input);
    expect(calls.map((call) => call.body)).toEqual([body, body]);
  });

  it.each([
    ['as two escapes', String.raw`\ud83d\ude00`],
    ['as one escape', String.raw`\u{1f600}`],
  ])('is sent when a literal has it %s', async (_, text) => {
    const { graphql, calls } = await startTestGateway();

    await graphql(createStudy.toDocument(`{ description: "${text}" }`));

    expect(calls.map(({ body }) => body)).toEqual(['{"description":"😀"}']);
  });
});
