import { describe, expect, it } from 'vitest';
import { repeat } from '../support/bombs.js';
import {
  allFields,
  brokenStudies,
  brokenStudy,
  dearPages,
  toBody,
} from '../support/dear-answers.js';
import { startTestGateway, type TestGateway, type TestGatewayOptions } from '../support/gateway.js';
import { toPage, wholeStudy } from '../support/studies.js';
import { answerJson } from '../support/study-api.js';

const { id } = wholeStudy;

function startWith(body: string, options: TestGatewayOptions = {}): Promise<TestGateway> {
  return startTestGateway({ ...options, api: (response) => void response.end(body) });
}

const toMessage = (count: number): string =>
  `The Study API's answer breaks its contract in ${count} of the selected values. A root field reports at most 1000 of them.`;

describe.each([
  ['by a plan', true],
  ['by graphql-js', false],
])('%s', (_, plans) => {
  it.each(dearPages)('a list is null with one error that counts: $what', async (row) => {
    const { graphql } = await startWith(row.body, { plans });

    expect(await graphql(row.query)).toEqual({
      data: { studies: null },
      errors: [
        expect.objectContaining({
          message: row.refusal,
          path: ['studies'],
          extensions: {
            code: 'UPSTREAM_CONTRACT',
            retryable: false,
            requestId: expect.any(String),
          },
        }),
      ],
    });
  });

  it('several lists of broken studies have an error for every null, up to 1,000 for each list', async () => {
    const studies = Array.from({ length: 80 }, () => ({ ...wholeStudy, files: 7, language: 7 }));
    const body = JSON.stringify(toPage(studies, { size: 80 }));
    const { graphql } = await startWith(body, { plans });
    const lists = repeat(6, (index) => `l${index}: studies(size: 80) { items { files language } }`);

    const { data, errors = [] } = await graphql(`{ ${lists} }`);

    const nulls = Object.keys(data!).flatMap((name) =>
      studies.flatMap((__, index) => [
        `${name}.items.${index}.files`,
        `${name}.items.${index}.language`,
      ]),
    );
    expect(nulls).toHaveLength(960);
    expect(errors.map(({ path }) => path!.join('.')).toSorted()).toEqual(nulls.toSorted());
  });

  it('1,000 errors have room; what is skipped or selected again has none', async () => {
    const { graphql } = await startWith(toBody(brokenStudies), { plans });
    const studies = Array.from({ length: 100 }, () => ({ id, files: null, planId: null }));
    const ten =
      'files audiences problems interviews summaries bookmarked createdAt description planId solutionId';

    const { data, errors = [] } = await graphql(
      `query ($no: Boolean!) { studies(size: 100) { items { id ${ten} ...F language @include(if: $no) ...G @skip(if: true) } } } fragment F on Study { files } fragment G on Study { status }`,
      { no: false },
    );

    expect(data).toMatchObject({ studies: { items: studies } });
    expect(errors).toHaveLength(1_000);
  });

  it('all entities are null with one error if they have too many errors together', async () => {
    const ids = Array.from({ length: 60 }, (__, index) => id.replace(/..$/, String(index + 10)));
    const { graphql } = await startTestGateway({
      plans,
      federation: true,
      api: (...exchange) => {
        const own = exchange[1].url.split('/').at(-1)!;
        answerJson({ ...(own === ids[0] ? wholeStudy : brokenStudy), id: own })(...exchange);
      },
    });
    const representations = ids.map((one) => ({ __typename: 'Study', id: one }));

    const { data, errors = [] } = await graphql(
      `
        query ($r: [_Any!]!) {
          _entities(representations: $r) {
            ...F
          }
        }
        ${allFields}
      `,
      { r: representations },
    );

    expect(data).toEqual({ _entities: ids.map(() => null) });
    expect(errors.map(({ path, message }) => ({ path, message }))).toEqual([
      { path: ['_entities'], message: toMessage(59 * 24) },
    ]);
  });
});
