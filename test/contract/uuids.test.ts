import { describe, expect, it } from 'vitest';
import { createStudy, editStudy, toLiteral } from '../support/inputs.js';
import { refused, toVerdict } from '../support/refusals.js';
import { startTestGateway } from '../support/gateway.js';

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
    ['in lower case', uuid],
    ['in upper case', '123E4567-E89B-12D3-A456-42661417400F'],
    ['in both', 'aBcDeF00-E89b-12D3-a456-42661417400f'],
    ['of version 7', '01890a5d-ac96-774b-bcce-b302099a8057'],
    ['of no version', '00000000-1111-0222-f333-444444444444'],
    ['of zeros', '00000000-0000-0000-0000-000000000000'],
    ['of ones', 'ffffffff-ffff-ffff-ffff-ffffffffffff'],
  ])('%s reaches the Study API unchanged', async (_, id) => {
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
    'id',
    `{${uuid}}`,
    `urn:uuid:${uuid}`,
    uuid.replaceAll('-', ''),
    `${uuid}0`,
    `${uuid}\n`,
    ` ${uuid}`,
    `${uuid}\0`,
    `${uuid},${uuid}`,
    uuid.replace('a', 'g'),
    uuid.replace('1', '\uff11'),
    uuid.replaceAll('-', '\u2010'),
    '123e456-7e89b-12d3-a456-426614174000',
    '../admin',
    'x?a=b',
    `../studies/${uuid}`,
    '%2e%2e',
    `${uuid}/`,
    `${uuid}?x=1`,
    `${uuid}\r\nHost: evil.example`,
    `//evil.example/${uuid}`,
    0,
    true,
    {},
    [],
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

  it.each([{}, { id: null }])('of a study must be given: %j is refused', async (variables) => {
    const { graphql, calls } = await startTestGateway();

    const verdicts = [];
    for (const document of asVariable.slice(0, 2))
      verdicts.push(toVerdict(await graphql(document, variables)));

    expect(verdicts).toEqual([refused('BAD_USER_INPUT'), refused('BAD_USER_INPUT')]);
    expect(calls).toEqual([]);
  });
});
