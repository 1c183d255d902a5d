import { describe, expect, it } from 'vitest';
import { StudiesDocument } from 'study-gateway-client';
import { startTestGateway, type TestGateway } from '../support/gateway.js';
import { toLedger } from '../support/operations.js';
import { toPage, wholeStudy } from '../support/studies.js';
import { answerJson } from '../support/study-api.js';

const { id, projectId } = wholeStudy;
const otherId = '11111111-2222-3333-4444-555555555555';

/** Starts a gateway in front of a Study API that answers `answer` to everything. */
const startWith = (answer: unknown): Promise<TestGateway> =>
  startTestGateway({ api: answerJson(answer) });

/** Returns the logged drift, as lines of field, expected type and received type. */
function toDrift({ log }: TestGateway): string[] {
  return log
    .filter(({ msg }) => msg === 'the Study API differs from its contract')
    .map((line) => [line['field'], line['expected'], line['received']].join(' | '));
}

/** Returns the expected error of a read whose answer breaks the contract. Reads have no outcome. */
function broken(message: string, ...path: (string | number)[]): object {
  return expect.objectContaining({
    message: `The Study API answered ${message} was expected.`,
    path: ['studies', ...path],
    extensions: {
      code: 'UPSTREAM_CONTRACT',
      retryable: false,
      requestId: expect.any(String),
    },
  });
}

describe('the list of studies', () => {
  it('sends only the given arguments', async () => {
    const { graphql, calls } = await startWith(toPage([wholeStudy]));
    const rows: readonly [object, string][] = [
      [{}, ''],
      [{ page: null, size: null, projectId: null }, ''],
      [{ size: 100 }, '?size=100'],
      [
        { page: 1, size: 1, projectId: [otherId, projectId] },
        `?page=1&size=1&projectId=${otherId},${projectId}`,
      ],
    ];

    for (const [variables] of rows)
      expect(await graphql(StudiesDocument, variables)).not.toHaveProperty('errors');

    expect(calls).toEqual(
      rows.map(([, query]) =>
        expect.objectContaining({
          method: 'GET',
          url: `/studies${query}`,
          body: '',
          headers: expect.objectContaining({ authorization: 'Bearer test-token' }),
        }),
      ),
    );
  });

  it('answers all 23 fields of each study, and the numbers of the page', async () => {
    const items = [wholeStudy, { ...wholeStudy, id: otherId }];
    const page = toPage(items, { page: 4, total: 8, pages: 4 });
    const gateway = await startWith(page);

    expect(await gateway.graphql(StudiesDocument, { page: 4 })).toEqual({
      data: { studies: page },
    });
    expect(toDrift(gateway)).toEqual([]);
  });

  it.each([
    ['missing', { items: [wholeStudy] }],
    ['null', { items: [wholeStudy], page: null, size: null, total: null, pages: null }],
    ['those of a bare array', [wholeStudy]],
  ])('has null for numbers that are %s', async (_, answer) => {
    const gateway = await startWith(answer);

    expect(await gateway.graphql('{ studies { items { id } page size total pages } }')).toEqual({
      data: { studies: { items: [{ id }], page: null, size: null, total: null, pages: null } },
    });
    expect(toDrift(gateway)).toEqual([]);
  });

  it.each(['size', 'total', 'pages'])('has an error at %s if it is broken', async (field) => {
    const gateway = await startWith(toPage([wholeStudy], { [field]: '1' }));

    const { data, errors } = await gateway.graphql(`{ studies { items { id } ${field} } }`);

    expect(data).toEqual({ studies: { items: [{ id }], [field]: null } });
    expect(errors).toEqual([
      broken(`"${field}" with a string where a 32-bit integer or null`, field),
    ]);
    expect(toDrift(gateway)).toEqual([`${field} | a 32-bit integer or null | a string`]);
  });
});

describe('an item that is broken', () => {
  it('is an error at its field, and the other items arrive complete', async () => {
    const damaged = { ...wholeStudy, description: 7, progress: { total: 'x' } };
    const { graphql } = await startWith(toPage([wholeStudy, damaged, wholeStudy]));

    const { data, errors } = await graphql(
      '{ studies { items { id description progress { total } } } }',
    );

    const { description } = wholeStudy;
    const whole = { id, description, progress: { total: 12 } };
    const rest = { id, description: null, progress: { total: null } };
    const toTotal = '"progress.total" with a string where a 32-bit integer or null';
    expect(data).toEqual({ studies: { items: [whole, rest, whole] } });
    expect(errors).toEqual([
      broken('"description" with a number where a string or null', 'items', 1, 'description'),
      broken(toTotal, 'items', 1, 'progress', 'total'),
    ]);
  });

  it.each([
    [null, '"items" with null where a study'],
    ['a study', '"items" with a string where a study'],
    [[wholeStudy], '"items" with an array where a study'],
    [{ ...wholeStudy, id: 7 }, '"id" with a number where a UUID'],
  ])('is null with an error if it is no object with an id: %j', async (item, message) => {
    const { graphql } = await startWith(toPage([wholeStudy, item]));
    const errors = [broken(message, 'items', 1)];

    expect(await graphql('{ studies { items { id } } }')).toEqual({
      data: { studies: { items: [{ id }, null] } },
      errors,
    });
    // Also if the id is not selected.
    expect(await graphql('{ studies { items { status } } }')).toEqual({
      data: { studies: { items: [{ status: 'running' }, null] } },
      errors,
    });
  });
});

describe('a page that may be wrong', () => {
  const two = [wholeStudy, wholeStudy];
  const other = { ...wholeStudy, projectId: otherId };
  const anotherPage = '"page" with another value or none where the page asked for';
  const longer = '"items" with a longer page where a page of its size';
  const noItems = '"items" with nothing where an array';
  const wrongSize = '"size" with another size where the size asked for';
  const ofProject = { projectId: [projectId] };
  const elsewhere = '"projectId" with another project or none where one of the projects asked for';

  it.each<[string, object, unknown, string]>([
    ['another page', { page: 2 }, toPage([]), anotherPage],
    ['not the first page', {}, toPage([], { page: 2 }), anotherPage],
    ['a page without its number', { page: 2 }, { items: [] }, anotherPage],
    ['a text, also on the first page', {}, toPage([], { page: '1' }), anotherPage],
    ['a bare array', { page: 2 }, [], anotherPage],
    ['a later page, smaller', { page: 2, size: 10 }, toPage([], { page: 2, size: 5 }), wrongSize],
    [
      'a later page of a size that is none',
      { page: 2, size: 10 },
      toPage([], { page: 2, size: '10' }),
      wrongSize,
    ],
    ['a later page, larger', { page: 2, size: 10 }, toPage([], { page: 2, size: 50 }), wrongSize],
    ['more items than asked for', { size: 1 }, toPage(two), longer],
    ['more items than its own size', {}, toPage(two, { size: 1 }), longer],
    ['no items', {}, { total: 0 }, noItems],
    ['items that are no array', {}, { items: {} }, '"items" with an object where an array'],
    ['a study', {}, wholeStudy, noItems],
    ['one of another project', ofProject, toPage([wholeStudy, other]), elsewhere],
    ['a project that is null', ofProject, toPage([{ ...wholeStudy, projectId: null }]), elsewhere],
    ['a project that is a number', ofProject, toPage([{ ...wholeStudy, projectId: 7 }]), elsewhere],
    ['an item that is no study', ofProject, toPage([wholeStudy, null]), elsewhere],
  ])('is an error and no page: %s', async (_, variables, answer, message) => {
    const gateway = await startWith(answer);

    const { data, errors } = await gateway.graphql(StudiesDocument, variables);

    expect(data).toEqual({ studies: null });
    expect(errors).toEqual([broken(message)]);
    const [, field] = /^"(\w+)"/.exec(message)!;
    expect(toDrift(gateway).filter((kind) => kind.startsWith(`${field} |`))).toHaveLength(1);
  });

  it('is none for a first page of another size, ids in capitals, and what a page should not have', async () => {
    const capitals = { ...wholeStudy, projectId: projectId.toUpperCase() };
    const page = toPage([capitals, other], { size: 50, next: null, items_count: 7 });
    const gateway = await startWith(page);

    const projects = [otherId, projectId].map((one) => one.toUpperCase());
    const answer = await gateway.graphql(StudiesDocument, { size: 10, projectId: projects });

    expect(answer).not.toHaveProperty('errors');
    expect(toDrift(gateway)).toEqual(['next | nothing | null', 'items_count | nothing | a number']);
  });
});

it('refuses an argument out of range before a call', async () => {
  const gateway = await startWith(toPage([]));
  const ofPage = 'Pages are counted from 1.';
  const ofSize = 'A page has 1 to 100 studies.';
  const ofProjects = 'A list of projects names at least one.';

  for (const [argument, value, message] of [
    ['page', 0, ofPage],
    ['page', -1, ofPage],
    ['size', 0, ofSize],
    ['size', 101, ofSize],
    ['projectId', [], ofProjects],
  ] as const)
    expect(await gateway.graphql(StudiesDocument, { [argument]: value })).toEqual({
      data: { studies: null },
      errors: [
        {
          message,
          path: ['studies'],
          locations: [expect.any(Object)],
          extensions: {
            code: 'BAD_USER_INPUT',
            outcome: 'NOT_SENT',
            retryable: false,
            fieldErrors: [{ path: [argument], message }],
            requestId: expect.any(String),
          },
        },
      ],
    });
  expect(toLedger(gateway)).toEqual([]);
});
