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

function broken(message: string, path: readonly unknown[], extensions: object = {}): object {
  return {
    message,
    locations: [expect.any(Object)],
    path,
    extensions: {
      code: 'UPSTREAM_CONTRACT',
      retryable: false,
      requestId: expect.any(String),
      ...extensions,
    },
  };
}

describe.each([
  ['by a plan', true],
  ['by graphql-js', false],
])('%s', (_, plans) => {
  it.each(dearPages)('a list is null with one error that counts: $what', async (row) => {
    const { graphql } = await startWith(row.body, { plans });

    expect(await graphql(row.query)).toEqual({
      data: { studies: null },
      errors: [broken(row.refusal!, ['studies'])],
    });
  });

  it('five lists of broken studies have an error for every null', async () => {
    const studies = Array.from({ length: 100 }, () => ({ ...wholeStudy, files: 7, language: 7 }));
    const { graphql } = await startWith(toBody(studies), { plans });
    const lists = repeat(6, (index) => `l${index}: studies(size: 80) { items { files language } }`);
    const eighty = await startWith(JSON.stringify(toPage(studies.slice(0, 80), { size: 80 })), {
      plans,
    });

    const refused = await graphql(`
      {
        studies(size: 80) {
          items {
            id
          }
        }
      }
    `);
    const { data, errors = [] } = await eighty.graphql(`{ ${lists} }`);

    expect(refused.data).toEqual({ studies: null });
    const atNulls = errors.map(({ path }) => path!.join('.')).toSorted();
    const nulls = Object.entries(data!).flatMap(([name, page]) =>
      page === null
        ? [name]
        : studies
            .slice(0, 80)
            .flatMap((__, index) => [
              `${name}.items.${index}.files`,
              `${name}.items.${index}.language`,
            ]),
    );
    expect(atNulls).toEqual(nulls.toSorted());
    expect(errors.filter(({ path }) => path!.length > 1)).toHaveLength(960);
  });

  it('1,000 errors have room, and a field that a directive skips has none', async () => {
    const { graphql } = await startWith(toBody(brokenStudies), { plans });
    const studies = Array.from({ length: 100 }, () => ({ id, files: null, planId: null }));
    const ten =
      'files audiences problems interviews summaries bookmarked createdAt description planId solutionId';

    const { data, errors = [] } = await graphql(
      `query ($no: Boolean!) { studies(size: 100) { items { id ${ten} language @include(if: $no) ...G @skip(if: true) } } } fragment G on Study { status }`,
      { no: false },
    );

    expect(data).toMatchObject({ studies: { items: studies } });
    expect(errors).toHaveLength(1_000);
  });

  it('a value that several fragments select counts once', async () => {
    const studies = Array.from({ length: 100 }, () => ({ ...wholeStudy, files: 7 }));
    const { graphql } = await startWith(toBody(studies), {
      plans,
    });
    const spreads = repeat(15, (index) => `...F${index}`);
    const fragments = repeat(15, (index) => `fragment F${index} on Study { files }`);

    const { errors } = await graphql(
      `{ studies(size: 100) { items { ${spreads} } } } ${fragments}`,
    );

    expect(errors).toHaveLength(100);
  });

  it('entities are null with one error if their errors have no room', async () => {
    const ids = Array.from({ length: 60 }, (__, index) => id.replace(/..$/, String(index + 10)));
    const { graphql } = await startTestGateway({
      plans,
      federation: true,
      api: (response, call, request) =>
        answerJson({ ...brokenStudy, id: call.url.split('/').at(-1) })(response, call, request),
    });
    const representations = ids.map((one) => ({ __typename: 'Study', id: one }));

    const result = await graphql(
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

    const message =
      "The Study API's answer breaks its contract in 1440 of the selected values. A response reports at most 1000 of them.";
    expect(result).toEqual({ data: null, errors: [broken(message, ['_entities'])] });
  });
});
