import { describe, expect, it } from 'vitest';
import { createStudy, editStudy, toFields } from '../support/inputs.js';
import { refused, toVerdict } from '../support/refusals.js';
import { startTestGateway } from '../support/gateway.js';

const high = '\ud83d';
const low = '\ude00';

const textRows = [createStudy, editStudy].flatMap((operation) =>
  toFields(operation)
    .filter(({ type }) => type === 'String' || type === '[String!]')
    .map(({ path, type }) => ({ operation, field: path.join('.'), isList: type !== 'String' })),
);

describe('a lone surrogate', () => {
  it.each(textRows)(
    'in $field of $operation.name is refused, with its path',
    async ({ operation, field, isList }) => {
      const { graphql, calls } = await startTestGateway();
      const { name, inputType, toDocument } = operation;
      const text = `a${high}b`;
      const input = { [field]: isList ? ['a', 'b', text] : text };

      const result = await graphql(toDocument('$input', `($input: ${inputType}!)`), { input });

      const message = 'The text holds half of a surrogate pair, which UTF-8 cannot carry.';
      expect(result).toEqual({
        data: { [name]: null },
        errors: [
          {
            message,
            locations: [expect.any(Object)],
            path: [name],
            extensions: {
              code: 'BAD_USER_INPUT',
              outcome: 'NOT_SENT',
              retryable: false,
              requestId: expect.any(String),
              fieldErrors: [{ path: isList ? ['input', field, 2] : ['input', field], message }],
            },
          },
        ],
      });
      expect(calls).toEqual([]);
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
  ])('is refused as %s', async (_, description) => {
    const { graphql, calls } = await startTestGateway();

    const result = await graphql(
      createStudy.toDocument('{ description: $value }', '($value: String)'),
      { value: description },
    );

    expect(result).toMatchObject({
      data: { createStudy: null },
      errors: [{ extensions: { code: 'BAD_USER_INPUT', outcome: 'NOT_SENT' } }],
    });
    expect(calls).toEqual([]);
  });

  it('fails only its own mutation field', async () => {
    const { graphql, calls } = await startTestGateway();

    const result = await graphql(
      `
        mutation ($text: String) {
          first: createStudy(input: { description: "1" }) {
            status
          }
          second: createStudy(input: { description: $text }) {
            status
          }
          third: createStudy(input: { description: "3" }) {
            status
          }
        }
      `,
      { text: low },
    );

    expect(result).toMatchObject({
      data: { first: { status: 'running' }, second: null, third: { status: 'running' } },
      errors: [{ path: ['second'] }],
    });
    expect(calls.map(({ body }) => body)).toEqual(['{"description":"1"}', '{"description":"3"}']);
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
