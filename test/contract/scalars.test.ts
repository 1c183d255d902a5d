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
  '2026-03-01T09:30:00-23:59',
  '2026-03-01T09:30:00.1Z',
  '2026-03-01T09:30:00.123456+01:00',
  '2026-03-01T09:30:00.1234567890123456789000Z',
  '2000-02-29T09:30:00Z',
  '2026-03-01T09:30:00',
  '0000-02-29T00:00:00Z',
  '9999-12-31T23:59:59.999999999Z',
];

/** Texts that the gateway refuses as an input, and reports as an error in an answer. */
const noDates = [
  '',
  '2026-03-01',
  '2026-03-01T09:30Z',
  '2026-03-01 09:30:00Z',
  '2026-03-01T09:30:00Z\n',
  '2026-03-01T09:30:00Z[Europe/Berlin]',
  '2026-03-01T09:30:00+0100',
  '2026-03-01T09:30:00+24:00',
  '2026-03-01T09:30:00.Z',
  // Days that do not exist.
  '1900-02-29T09:30:00Z',
  '0100-02-29T09:30:00Z',
  '2026-03-00T09:30:00Z',
  '2026-13-01T09:30:00Z',
  '2026-03-01T24:00:00Z',
  '2026-03-01T09:60:00Z',
  '2026-03-01T09:30:61Z',
  // A leap second.
  '2016-12-31T23:59:60Z',
  '12026-03-01T09:30:00Z',
  '20260301T093000Z',
  '２０２６-03-01T09:30:00Z',
  '2026-03-01T09:30:00Z\ud800',
];

describe('a DateTime', () => {
  const read = `{ study(id: "${studyId}") { createdAt } }`;
  const byInput = createStudy.toDocument('$input', '($input: CreateStudyInput!)');
  const byValue = editStudy.toDocument('{ createdAt: $value }', '($value: DateTime)');

  let answered = '';
  const start = () =>
    startTestGateway({
      api: (...call) => answerJson({ ...wholeStudy, createdAt: answered })(...call),
    });

  it('is sent and answered unchanged', async () => {
    const { graphql, calls } = await start();

    for (const createdAt of dates) {
      answered = createdAt;
      await graphql(byInput, { input: { createdAt } });
      await graphql(createStudy.toDocument(toLiteral({ createdAt })));
      await graphql(byValue, { value: createdAt });

      const body = `{"createdAt":"${createdAt}"}`;
      expect(calls.slice(-3).map((call) => call.body)).toEqual([body, body, body]);
      expect(await graphql(read)).toEqual({ data: { study: { createdAt } } });
    }
  });

  it('is no other text', async () => {
    const { graphql, calls } = await start();

    for (const createdAt of noDates) {
      answered = createdAt;
      const verdicts = [
        await graphql(byInput, { input: { createdAt } }),
        await graphql(byValue, { value: createdAt }),
        await graphql(createStudy.toDocument(toLiteral({ createdAt }))),
      ].map(toVerdict);

      // A lone surrogate is a syntax error in GraphQL.
      const code = createdAt.isWellFormed() ? 'GRAPHQL_VALIDATION_FAILED' : 'GRAPHQL_PARSE_FAILED';
      expect({ createdAt, verdicts }).toEqual({
        createdAt,
        verdicts: [refused('BAD_USER_INPUT'), refused('BAD_USER_INPUT', false), refused(code)],
      });
      expect({ createdAt, ...(await graphql(read)) }).toMatchObject({
        createdAt,
        data: { study: { createdAt: null } },
        errors: [
          { message: expect.stringContaining('where an RFC 3339 date and time or null was') },
        ],
      });
    }
    expect(calls.map(({ method }) => method)).toEqual(noDates.map(() => 'GET'));
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
  it('reaches the Study API unchanged', async () => {
    const { graphql, calls } = await startTestGateway();
    const ids = [
      uuid,
      '123E4567-E89B-12D3-A456-42661417400F',
      '01890a5d-ac96-774b-bcce-b302099a8057',
      'ffffffff-ffff-ffff-ffff-ffffffffffff',
    ];

    for (const id of ids) {
      for (const document of asVariable) await graphql(document, { id });
      for (const document of toInline(id)) await graphql(document);
    }

    const toSent = (id: string) => [
      `GET /studies/${id} `,
      `PATCH /studies/${id} {}`,
      `PATCH ${editStudy.url} {"projectId":"${id}"}`,
      `POST /studies {"projectId":"${id}"}`,
      `POST /studies {"solutionId":"${id}"}`,
      `POST /studies {"researchGoalId":"${id}"}`,
    ];
    const sent = ids.flatMap((id) => toSent(id).concat(toSent(id)));
    expect(calls.map(({ method, url, body }) => `${method} ${url} ${body}`)).toEqual(sent);
  });

  it.each([
    '',
    `{${uuid}}`,
    `urn:uuid:${uuid}`,
    uuid.replaceAll('-', ''),
    `${uuid}0`,
    `${uuid}\n`,
    ` ${uuid}`,
    uuid.replace('a', 'g'),
    uuid.replace('1', '\uff11'),
    '123e456-7e89b-12d3-a456-426614174000',
    `../studies/${uuid}`,
    `${uuid}?x=1`,
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
