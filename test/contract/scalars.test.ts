import { describe, expect, it } from 'vitest';
import { createStudy, editStudy, studyId, toLiteral } from '../support/inputs.js';
import { refused, toVerdict } from '../support/refusals.js';
import { answerJson } from '../support/study-api.js';
import { startTestGateway } from '../support/gateway.js';
import { wholeStudy } from '../support/studies.js';

/** Dates that the gateway passes on unchanged, as an input and in an answer. */
const dates = [
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

/** Texts that the gateway refuses as an input, and reports as an error in an answer. */
const noDates = [
  '',
  '2026-03-01',
  '2026-03-01T09:30Z',
  '2026-03-01T09:30:00+',
  '2026-03-01 09:30:00Z',
  ' 2026-03-01T09:30:00Z',
  '2026-03-01T09:30:00Z\n',
  '2026-03-01T09:30:00Z[Europe/Berlin]',
  '2026-03-01T09:30:00+0100',
  '2026-03-01T09:30:00+24:00',
  '2026-03-01T09:30:00+01:00:00',
  '2026-03-01T09:30:00.Z',
  // Days that do not exist.
  '2026-02-29T09:30:00Z',
  '1900-02-29T09:30:00Z',
  '0100-02-29T09:30:00Z',
  '2026-04-31T09:30:00Z',
  '2026-03-00T09:30:00Z',
  '2026-13-01T09:30:00Z',
  '2026-03-01T24:00:00Z',
  '2026-03-01T09:60:00Z',
  '2026-03-01T09:30:61Z',
  // Second 60 elsewhere than at the end of a month in UTC.
  '2016-12-31T23:30:60Z',
  '2016-12-30T23:59:60Z',
  '2024-02-28T23:59:60Z',
  '2016-12-31T23:59:60+01:00',
  '2016-11-31T23:59:60Z',
  '2016-12-30T23:59:60',
  '12026-03-01T09:30:00Z',
  '2026-3-01T09:30:00Z',
  '20260301T093000Z',
  '2026-W09-7T09:30:00Z',
  '２０２６-03-01T09:30:00Z',
  '2026-03-01T09:30:00Z\ud800',
];

describe('a DateTime', () => {
  const read = `{ study(id: "${studyId}") { createdAt } }`;
  const byInput = createStudy.toDocument('$input', '($input: CreateStudyInput!)');
  const byValue = editStudy.toDocument('{ createdAt: $value }', '($value: DateTime)');

  it.each(dates)('%s is sent and answered unchanged', async (createdAt) => {
    const api = answerJson({ ...wholeStudy, createdAt });
    const { graphql, calls } = await startTestGateway({ api });

    await graphql(byInput, { input: { createdAt } });
    await graphql(createStudy.toDocument(toLiteral({ createdAt })));
    await graphql(byValue, { value: createdAt });

    const body = `{"createdAt":"${createdAt}"}`;
    expect(calls.map((call) => call.body)).toEqual([body, body, body]);
    expect(await graphql(read)).toEqual({ data: { study: { createdAt } } });
  });

  it.each(noDates)('is not %j', async (createdAt) => {
    const api = answerJson({ ...wholeStudy, createdAt });
    const { graphql, calls } = await startTestGateway({ api });

    const verdicts = [
      await graphql(byInput, { input: { createdAt } }),
      await graphql(byValue, { value: createdAt }),
      await graphql(createStudy.toDocument(toLiteral({ createdAt }))),
    ].map(toVerdict);

    expect(verdicts).toEqual([
      refused('BAD_USER_INPUT'),
      refused('BAD_USER_INPUT', false),
      // A lone surrogate is a syntax error in GraphQL.
      refused(createdAt.isWellFormed() ? 'GRAPHQL_VALIDATION_FAILED' : 'GRAPHQL_PARSE_FAILED'),
    ]);
    expect(calls).toEqual([]);
    expect(await graphql(read)).toMatchObject({
      data: { study: { createdAt: null } },
      errors: [
        {
          message:
            'The Study API answered "createdAt" with a string where an RFC 3339 date and time or null was expected.',
        },
      ],
    });
  });
});

const uuid = '123e4567-e89b-12d3-a456-426614174000';

/** In the first two operations, the variable is an argument; in the others, it is a part of one. */
const asVariable = [
  'query ($id: UUID!) { study(id: $id) { id } }',
  'mutation ($id: UUID!) { editStudy(id: $id, input: {}) { id } }',
  editStudy.toDocument('{ projectId: $id }', '($id: UUID)'),
  ...['projectId', 'solutionId', 'researchGoalId'].map((field) =>
    createStudy.toDocument(`{ ${field}: $id }`, '($id: UUID)'),
  ),
];

/** Returns the operations of `asVariable` with the id as a literal in the document. */
function toInline(id: unknown): string[] {
  return asVariable.map((document) =>
    document.replace(/ \(\$id: UUID!?\)/, '').replace('$id', () => toLiteral(id)),
  );
}

describe('a UUID', () => {
  it.each([
    uuid,
    '123E4567-E89B-12D3-A456-42661417400F',
    'aBcDeF00-E89b-12D3-a456-42661417400f',
    '01890a5d-ac96-774b-bcce-b302099a8057',
    '00000000-0000-0000-0000-000000000000',
    'ffffffff-ffff-ffff-ffff-ffffffffffff',
  ])('%s reaches the Study API unchanged', async (id) => {
    const { graphql, calls } = await startTestGateway();

    for (const document of asVariable) await graphql(document, { id });
    for (const document of toInline(id)) await graphql(document);

    const sent = [
      `GET /studies/${id} `,
      `PATCH /studies/${id} {}`,
      `PATCH ${editStudy.url} {"projectId":"${id}"}`,
      `POST /studies {"projectId":"${id}"}`,
      `POST /studies {"solutionId":"${id}"}`,
      `POST /studies {"researchGoalId":"${id}"}`,
    ];
    expect(calls.map(({ method, url, body }) => `${method} ${url} ${body}`)).toEqual([
      ...sent,
      ...sent,
    ]);
  });

  it.each([
    '',
    `{${uuid}}`,
    `urn:uuid:${uuid}`,
    uuid.replaceAll('-', ''),
    `${uuid}0`,
    `${uuid}\n`,
    ` ${uuid}`,
    `${uuid}\0`,
    uuid.replace('a', 'g'),
    uuid.replace('1', '\uff11'),
    '123e456-7e89b-12d3-a456-426614174000',
    '../admin',
    `../studies/${uuid}`,
    `${uuid}?x=1`,
    `${uuid}\r\nHost: evil.example`,
    0,
    {},
    [uuid],
  ])('is not %j: nothing reaches the API', async (id) => {
    const { graphql, calls } = await startTestGateway();

    const given = [];
    for (const document of asVariable) given.push(toVerdict(await graphql(document, { id })));
    const inline = [];
    for (const document of toInline(id)) inline.push(toVerdict(await graphql(document)));

    expect(given).toEqual(asVariable.map((_, index) => refused('BAD_USER_INPUT', index < 2)));
    expect(inline).toEqual(asVariable.map(() => refused('GRAPHQL_VALIDATION_FAILED')));
    expect(calls).toEqual([]);
  });
});
