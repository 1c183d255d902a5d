import { describe, expect, it } from 'vitest';
import { createStudy, editStudy, studyId, toLiteral } from '../support/inputs.js';
import { refused, toVerdict } from '../support/refusals.js';
import { answerJson } from '../support/study-api.js';
import { startTestGateway } from '../support/gateway.js';
import { wholeStudy } from '../support/studies.js';

const createWithVariable = createStudy.toDocument('$input', '($input: CreateStudyInput!)');

/** Texts that the gateway passes on unchanged, as an input and in an answer. */
const valid = [
  '2026-03-01T09:30:00Z',
  '2026-03-01t09:30:00z',
  '2026-03-01T09:30:00+00:00',
  '2026-03-01T09:30:00-23:59',
  '2026-03-01T23:59:59-03:30',
  '2026-03-01T09:30:00.1Z',
  '2026-03-01T09:30:00.123456+01:00',
  '2026-03-01T09:30:00.1234567890123456789000Z',
  '2026-12-31T23:59:59.999999+01:00',
  '2024-02-29T09:30:00Z',
  '2000-02-29T09:30:00Z',
  '2016-12-31T23:59:60Z',
  '2017-01-01T05:29:60+05:30',
  '2024-02-29T23:59:60.999+00:00',
  '2016-06-30T23:59:60',
  '2026-03-01T09:30:00',
  '2026-03-01T09:30:00.123456',
  '0000-02-29T00:00:00Z',
  '0096-02-29T00:00:00Z',
  '9999-12-31T23:59:59.999999999Z',
];

/** Texts that the gateway refuses as an input, and reports as an error in an answer; with what is wrong. */
const invalid = [
  ['no text', ''],
  ['a date only', '2026-03-01'],
  ['no seconds', '2026-03-01T09:30Z'],
  ['half of an offset', '2026-03-01T09:30:00+'],
  ['a space for the T', '2026-03-01 09:30:00Z'],
  ['a space before it', ' 2026-03-01T09:30:00Z'],
  ['a newline after it', '2026-03-01T09:30:00Z\n'],
  ['a zone name after it', '2026-03-01T09:30:00Z[Europe/Berlin]'],
  ['an offset without a colon', '2026-03-01T09:30:00+0100'],
  ['an offset of 24 hours', '2026-03-01T09:30:00+24:00'],
  ['an offset of seconds', '2026-03-01T09:30:00+01:00:00'],
  ['an empty fraction', '2026-03-01T09:30:00.Z'],
  ['February 29 of no leap year', '2026-02-29T09:30:00Z'],
  ['February 29 of 1900', '1900-02-29T09:30:00Z'],
  ['February 29 of the year 100', '0100-02-29T09:30:00Z'],
  ['April 31', '2026-04-31T09:30:00Z'],
  ['a day 0', '2026-03-00T09:30:00Z'],
  ['a month 13', '2026-13-01T09:30:00Z'],
  ['24 o’clock', '2026-03-01T24:00:00Z'],
  ['a minute 60', '2026-03-01T09:60:00Z'],
  ['a second 61', '2026-03-01T09:30:61Z'],
  ['a second 60 within an hour', '2016-12-31T23:30:60Z'],
  ['a second 60 on the day before the last of a month', '2016-12-30T23:59:60Z'],
  ['a second 60 on February 28 of a leap year', '2024-02-28T23:59:60Z'],
  ['a second 60 at the end of the month of its offset only', '2016-12-31T23:59:60+01:00'],
  ['a second 60 on a day that does not exist', '2016-11-31T23:59:60Z'],
  ['a second 60 without an offset within a month', '2016-12-30T23:59:60'],
  ['a year of five digits', '12026-03-01T09:30:00Z'],
  ['a month of one digit', '2026-3-01T09:30:00Z'],
  ['the basic format', '20260301T093000Z'],
  ['a week date', '2026-W09-7T09:30:00Z'],
  ['digits that are not ASCII', '２０２６-03-01T09:30:00Z'],
  ['half a surrogate pair', '2026-03-01T09:30:00Z\ud800'],
] as const;

describe('createdAt of an input', () => {
  it.each(valid)('%s is sent unchanged', async (createdAt) => {
    const { graphql, calls } = await startTestGateway();

    await graphql(createWithVariable, { input: { createdAt } });
    await graphql(createStudy.toDocument(toLiteral({ createdAt })));
    await graphql(editStudy.toDocument('{ createdAt: $value }', '($value: DateTime)'), {
      value: createdAt,
    });

    const body = `{"createdAt":"${createdAt}"}`;
    expect(calls.map((call) => call.body)).toEqual([body, body, body]);
  });

  it.each(invalid)('is refused with %s', async (_, createdAt) => {
    const { graphql, calls } = await startTestGateway();

    const verdicts = [
      await graphql(createWithVariable, { input: { createdAt } }),
      await graphql(editStudy.toDocument('{ createdAt: $value }', '($value: DateTime)'), {
        value: createdAt,
      }),
      await graphql(createStudy.toDocument(toLiteral({ createdAt }))),
    ].map(toVerdict);

    expect(verdicts).toEqual([
      refused('BAD_USER_INPUT'),
      refused('BAD_USER_INPUT', false),
      // A lone surrogate is a syntax error in GraphQL.
      refused(createdAt.isWellFormed() ? 'GRAPHQL_VALIDATION_FAILED' : 'GRAPHQL_PARSE_FAILED'),
    ]);
    expect(calls).toEqual([]);
  });

  it.each(['2026', '2026.5', 'true', 'TODAY', '{}', '["2026-03-01T09:30:00Z"]'])(
    'is refused as the literal %s',
    async (literal) => {
      const { graphql, calls } = await startTestGateway();

      const result = await graphql(createStudy.toDocument(`{ createdAt: ${literal} }`));

      expect(toVerdict(result)).toEqual(refused('GRAPHQL_VALIDATION_FAILED'));
      expect(calls).toEqual([]);
    },
  );
});

describe('createdAt of a study', () => {
  const document = `{ study(id: "${studyId}") { createdAt } }`;

  it.each(valid)('%s is answered unchanged', async (createdAt) => {
    const { graphql } = await startTestGateway({ api: answerJson({ ...wholeStudy, createdAt }) });

    const result = await graphql(document);

    expect(result).toEqual({ data: { study: { createdAt } } });
  });

  it.each(invalid)('is an error with %s', async (_, createdAt) => {
    const { graphql } = await startTestGateway({ api: answerJson({ ...wholeStudy, createdAt }) });

    const result = await graphql(document);

    expect(result).toEqual({
      data: { study: { createdAt: null } },
      errors: [
        {
          message:
            'The Study API answered "createdAt" with a string where an RFC 3339 date and time or null was expected.',
          locations: [expect.any(Object)],
          path: ['study', 'createdAt'],
          extensions: {
            code: 'UPSTREAM_CONTRACT',
            retryable: false,
            requestId: expect.any(String),
          },
        },
      ],
    });
  });
});
