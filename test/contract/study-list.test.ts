import { describe, expect, it } from 'vitest';
import { StudiesDocument } from 'study-gateway-client';
import { studyId } from '../support/inputs.js';
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
  it.each<[string, object, string]>([
    ['nothing', {}, '/studies'],
    ['null', { page: null, size: null, projectId: null }, '/studies'],
    ['a page', { page: 1 }, '/studies?page=1'],
    ['a size', { size: 100 }, '/studies?size=100'],
    ['one project', { projectId: [projectId] }, `/studies?projectId=${projectId}`],
    [
      'everything',
      { page: 1, size: 1, projectId: [otherId, projectId] },
      `/studies?page=1&size=1&projectId=${otherId},${projectId}`,
    ],
  ])('sends only the given arguments: %s', async (_, variables, url) => {
    const { graphql, calls } = await startWith(toPage([wholeStudy]));

    const { errors } = await graphql(StudiesDocument, variables);

    expect(errors).toBeUndefined();
    expect(calls).toMatchObject([
      { method: 'GET', url, body: '', headers: { authorization: 'Bearer test-token' } },
    ]);
  });

  it('answers all 23 fields of each study, and the numbers of the page', async () => {
    const page = toPage([wholeStudy, { ...wholeStudy, id: otherId }], { total: 7, pages: 4 });
    const gateway = await startWith(page);

    expect(await gateway.graphql(StudiesDocument)).toEqual({ data: { studies: page } });
    expect(toDrift(gateway)).toEqual([]);
  });

  it('answers the page that is asked for', async () => {
    const { graphql } = await startWith(toPage([], { page: 4, pages: 4 }));

    expect(await graphql('{ studies(page: 4) { items { id } page } }')).toEqual({
      data: { studies: { items: [], page: 4 } },
    });
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

  it.each(['page', 'size', 'total', 'pages'])(
    'has an error at %s if it is broken',
    async (field) => {
      const gateway = await startWith(toPage([wholeStudy], { [field]: '1' }));

      const { data, errors } = await gateway.graphql(`{ studies { items { id } ${field} } }`);

      expect(data).toEqual({ studies: { items: [{ id }], [field]: null } });
      expect(errors).toEqual([
        broken(`"${field}" with a string where a 32-bit integer or null`, field),
      ]);
      expect(toDrift(gateway)).toEqual([`${field} | a 32-bit integer or null | a string`]);
    },
  );
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
    expect(data).toEqual({ studies: { items: [whole, rest, whole] } });
    expect(errors).toEqual([
      broken('"description" with a number where a string or null', 'items', 1, 'description'),
      broken(
        '"progress.total" with a string where a 32-bit integer or null',
        'items',
        1,
        'progress',
        'total',
      ),
    ]);
  });

  it('is null with an error if its id cannot be read', async () => {
    const { graphql } = await startWith(toPage([{ ...wholeStudy, id: 7 }, wholeStudy]));

    const { data, errors } = await graphql('{ studies { items { id status } } }');
    const unselected = await graphql('{ studies { items { status } } }');

    expect(data).toEqual({ studies: { items: [null, { id, status: 'running' }] } });
    expect(errors).toEqual([broken('"id" with a number where a UUID', 'items', 0)]);
    expect(unselected.data).toEqual({ studies: { items: [null, { status: 'running' }] } });
    expect(unselected.errors).toEqual([broken('"id" with a number where a UUID', 'items', 0)]);
  });

  it.each([
    [null, 'null'],
    ['a study', 'a string'],
    [[wholeStudy], 'an array'],
  ])('is null with an error if it is not an object: %j', async (item, received) => {
    const gateway = await startWith(toPage([wholeStudy, item]));

    const { data, errors } = await gateway.graphql('{ studies { items { id } } }');

    expect(data).toEqual({ studies: { items: [{ id }, null] } });
    expect(errors).toEqual([broken(`"items" with ${received} where a study`, 'items', 1)]);
    expect(toDrift(gateway)).toEqual([`items | a study | ${received}`]);
  });

  it('adds at most 20 errors to the log line', async () => {
    const items = Array.from({ length: 100 }, () => ({ ...wholeStudy, language: 7 }));
    const gateway = await startWith(toPage(items, { size: 100 }));

    await gateway.graphql('{ studies(size: 100) { items { language } } }');

    const line = gateway.log.find(({ msg }) => msg === 'operation');
    expect(line?.['errors']).toHaveLength(20);
    expect(line).toMatchObject({ code: 'UPSTREAM_CONTRACT', restCalls: 1 });
  });
});

describe('a page other than the requested page', () => {
  const two = [wholeStudy, wholeStudy];
  const toAsked = (received: string) => `"page" with ${received} where the page asked for`;
  const longer = '"items" with a longer page where a page of its size';
  const noItems = '"items" with nothing where an array';

  it.each<[string, object, unknown, string]>([
    ['another page', { page: 2 }, toPage([]), toAsked('another page')],
    ['not the first page', {}, toPage([], { page: 2 }), toAsked('another page')],
    ['a page without its number', { page: 2 }, { items: [] }, toAsked('nothing')],
    ['a number that is none', { page: 2 }, toPage([], { page: '2' }), toAsked('a string')],
    ['a bare array', { page: 2 }, [], toAsked('nothing')],
    ['more items than asked for', { size: 1 }, toPage(two), longer],
    ['a bare array that is too long', { size: 1 }, two, longer],
    ['more items than its own size', {}, toPage(two, { size: 1 }), longer],
    ['no items', {}, { total: 0 }, noItems],
    ['items that are no array', {}, { items: {} }, '"items" with an object where an array'],
    ['a study', {}, wholeStudy, noItems],
  ])('is an error and no page: %s', async (_, variables, answer, message) => {
    const gateway = await startWith(answer);

    const { data, errors } = await gateway.graphql(StudiesDocument, variables);

    expect(data).toEqual({ studies: null });
    expect(errors).toEqual([broken(message)]);
    const [, field] = /^"(\w+)"/.exec(message)!;
    expect(toDrift(gateway).filter((kind) => kind.startsWith(`${field} |`))).toHaveLength(1);
  });

  it.each(['null', '7', '"page"', 'true'])('is an error and no page: %s', async (text) => {
    const { graphql } = await startTestGateway({ api: (response) => void response.end(text) });

    const { data, errors } = await graphql('{ studies { page } }');

    expect(data).toEqual({ studies: null });
    expect(errors).toMatchObject([{ extensions: { code: 'UPSTREAM_CONTRACT' } }]);
  });

  it('reports fields that a page should not have', async () => {
    const gateway = await startWith(toPage([], { next: null, items_count: 7 }));

    expect(await gateway.graphql('{ studies { page } }')).toEqual({
      data: { studies: { page: 1 } },
    });
    expect(toDrift(gateway)).toEqual(['next | nothing | null', 'items_count | nothing | a number']);
  });
});

describe('a filter by project', () => {
  const other = { ...wholeStudy, projectId: otherId };

  it('compares ids regardless of case', async () => {
    const { graphql } = await startWith(
      toPage([{ ...wholeStudy, projectId: projectId.toUpperCase() }, other]),
    );

    const { errors } = await graphql(StudiesDocument, {
      projectId: [otherId, projectId].map((one) => one.toUpperCase()),
    });

    expect(errors).toBeUndefined();
  });

  it.each([
    ['all of another project', [other]],
    ['one of another project', [wholeStudy, other, wholeStudy, other]],
  ])('that the Study API ignores is an error: %s', async (_, items) => {
    const gateway = await startWith(toPage(items));

    const first = await gateway.graphql('{ studies { items { id } } }');
    const filtered = await gateway.graphql(
      'query ($p: [UUID!]) { studies(projectId: $p) { items { id } } }',
      {
        p: [projectId],
      },
    );
    await gateway.graphql(StudiesDocument, { projectId: [projectId] });

    expect(first.errors).toBeUndefined();
    expect(filtered.data).toEqual({ studies: null });
    expect(filtered.errors).toEqual([
      broken('"projectId" with another project where one of the projects asked for'),
    ]);
    expect(toDrift(gateway)).toEqual([
      'projectId | one of the projects asked for | another project',
    ]);
  });

  it.each([
    ['missing', { projectId: undefined }],
    ['null', { projectId: null }],
    ['a number', { projectId: 7 }],
    ['under another name', { projectId: undefined, project_id: projectId }],
  ])('that no project id proves is an error, and serves no study: %s', async (_, fields) => {
    const { graphql } = await startWith(toPage([wholeStudy, { ...wholeStudy, ...fields }]));

    const result = await graphql(`{ studies(projectId: "${projectId}") { items { id } } }`);

    expect(result).toEqual({
      data: { studies: null },
      errors: [
        broken('"projectId" with no project that can be read where one of the projects asked for'),
      ],
    });
  });

  it('that an item which is no study cannot prove is an error', async () => {
    const { graphql } = await startWith(toPage([wholeStudy, null]));

    const { data } = await graphql(`{ studies(projectId: "${projectId}") { items { id } } }`);

    expect(data).toEqual({ studies: null });
  });
});

it.each([
  ['smaller', 5],
  ['larger', 50],
])(
  'a later page of a %s size than asked for is an error, and a first one is not',
  async (_, size) => {
    const later = await startWith(toPage([wholeStudy], { page: 2, size }));
    const first = await startWith(toPage([wholeStudy], { page: 1, size }));

    const result = await later.graphql('{ studies(page: 2, size: 10) { items { id } } }');

    expect(result).toEqual({
      data: { studies: null },
      errors: [broken('"size" with another size where the size asked for')],
    });
    expect(await first.graphql('{ studies(size: 10) { items { id } } }')).toEqual({
      data: { studies: { items: [{ id }] } },
    });
  },
);

describe('an argument out of range', () => {
  it.each([
    ['page', { page: 0 }, 'Pages are counted from 1.'],
    ['page', { page: -1 }, 'Pages are counted from 1.'],
    ['size', { size: 0 }, 'A page has 1 to 100 studies.'],
    ['size', { size: 101 }, 'A page has 1 to 100 studies.'],
    ['size', { size: 2_147_483_647 }, 'A page has 1 to 100 studies.'],
    ['projectId', { projectId: [] }, 'A list of projects names 1 to 1000.'],
    [
      'projectId',
      { projectId: Array<string>(1_001).fill(projectId) },
      'A list of projects names 1 to 1000.',
    ],
  ])('is refused before a call: %s of %j', async (argument, variables, message) => {
    const gateway = await startWith(toPage([]));

    const { data, errors } = await gateway.graphql(StudiesDocument, variables);

    expect(data).toEqual({ studies: null });
    expect(errors).toEqual([
      expect.objectContaining({
        message,
        path: ['studies'],
        extensions: {
          code: 'BAD_USER_INPUT',
          outcome: 'NOT_SENT',
          retryable: false,
          fieldErrors: [{ path: [argument], message }],
          requestId: expect.any(String),
        },
      }),
    ]);
    expect(toLedger(gateway)).toEqual([]);
  });
});

it('reads the lists and studies of one query concurrently', async () => {
  let open = 0;
  const waiting: (() => void)[] = [];
  const { graphql } = await startTestGateway({
    api: (response, call, request) => {
      const answer = call.url.startsWith('/studies/') ? wholeStudy : toPage([wholeStudy]);
      waiting.push(() => answerJson(answer)(response, call, request));
      open += 1;
      if (open === 3) for (const end of waiting) end();
    },
  });

  expect(
    await graphql(
      `{ a: studies { items { id } } b: studies(size: 5) { total } c: study(id: "${studyId}") { id } }`,
    ),
  ).toEqual({ data: { a: { items: [{ id }] }, b: { total: 1 }, c: { id } } });
});
