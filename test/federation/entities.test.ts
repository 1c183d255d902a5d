import type { ExecutionResult } from 'graphql';
import { expect, it } from 'vitest';
import { startHoldingApi } from '../support/held-calls.js';
import { toLedger } from '../support/operations.js';
import { startTestGateway, type TestGateway } from '../support/gateway.js';
import type { Headers } from '../support/post.js';
import { wholeStudy } from '../support/studies.js';
import { answerJson, type Respond } from '../support/study-api.js';

/** A query in the form in which routers write it. */
const findStudies = `query Join__studies__1($representations: [_Any!]!) {
  _entities(representations: $representations) { ... on Study { id description audiences } }
}`;

/** Answers with a study that has the id in the URL. */
const answerStudy: Respond = (response, call, request) =>
  answerJson({ ...wholeStudy, id: call.url.split('/').at(-1) })(response, call, request);

/** Returns the UUID for a number. */
function toId(index: number): string {
  return `00000000-0000-4000-8000-${String(index).padStart(12, '0')}`;
}

function toStudy(index: number): object {
  const { description, audiences } = wholeStudy;
  return { id: toId(index), description, audiences };
}

function toIds(count: number): string[] {
  return Array.from({ length: count }, (_, index) => toId(index));
}

interface Entities {
  readonly _entities: unknown[];
}

function find(
  { graphql }: Pick<TestGateway, 'graphql'>,
  ids: readonly unknown[],
  headers: Headers = {},
): Promise<ExecutionResult<Entities>> {
  const representations = ids.map((id) => ({ __typename: 'Study', id }));
  return graphql<Entities>(findStudies, { representations }, headers);
}

it('reads a study for each representation, and answers in the order of the list', async () => {
  const gateway = await startTestGateway({ federation: true, api: answerStudy });

  const result = await find(gateway, [toId(2), toId(1), toId(2)]);

  expect(result).toEqual({ data: { _entities: [toStudy(2), toStudy(1), toStudy(2)] } });
  expect(toLedger(gateway).toSorted()).toEqual([
    `GET /studies/${toId(1)}`,
    `GET /studies/${toId(2)}`,
    `GET /studies/${toId(2)}`,
  ]);
});

it('reads at most 16 studies concurrently', async () => {
  const api = await startHoldingApi();
  const gateway = await startTestGateway({ federation: true, studyApiUrl: api.url });

  const result = find(gateway, toIds(40));
  await api.holds(16);
  // This response proves that a 17th concurrent call would have arrived by now.
  await fetch(`${gateway.url}/health/live`);
  for (let answered = 0; answered < 40; answered++) {
    await api.holds(1);
    api.answerNext();
  }

  expect((await result).data?._entities).toHaveLength(40);
  expect(api.arrived).toHaveLength(40);
  expect(api.most.calls).toBe(16);
});

it('answers null, without an error, for a study that does not exist, even if only its id is selected', async () => {
  const gateway = await startTestGateway({
    federation: true,
    api: (response, call, request) =>
      (call.url.endsWith(toId(1)) ? answerJson({}, 404) : answerStudy)(response, call, request),
  });

  const result = await gateway.graphql(
    `{ _entities(representations: [
      { __typename: "Study", id: "${toId(1)}" }, { __typename: "Study", id: "${toId(2)}" }
    ]) { ... on Study { id } } }`,
  );

  expect(result).toEqual({ data: { _entities: [null, { id: toId(2) }] } });
  expect(toLedger(gateway).toSorted()).toEqual([1, 2].map((n) => `GET /studies/${toId(n)}`));
});

it('reports failures at their places in the list, and broken fields at the paths of the fields', async () => {
  const gateway = await startTestGateway({
    federation: true,
    api: (response, call, request) => {
      const id = call.url.split('/').at(-1)!;
      const broken = answerJson({ ...wholeStudy, id, audiences: null });
      const others: Record<string, Respond> = { [toId(1)]: answerJson({}, 500), [toId(2)]: broken };
      (others[id] ?? answerStudy)(response, call, request);
    },
  });

  const { data, errors } = await find(gateway, [toId(0), toId(1), toId(2), toId(1)]);

  const failure = {
    message: 'The Study API answered with status 500.',
    extensions: { code: 'UPSTREAM_ERROR', retryable: true, upstreamStatus: 500 },
  };
  expect(data).toEqual({
    _entities: [toStudy(0), null, { ...toStudy(2), audiences: null }, null],
  });
  const found = errors?.toSorted((a, b) => Number(a.path?.[1]) - Number(b.path?.[1]));
  expect(found).toMatchObject([
    { ...failure, path: ['_entities', 1] },
    { path: ['_entities', 2, 'audiences'], extensions: { code: 'UPSTREAM_CONTRACT' } },
    { ...failure, path: ['_entities', 3] },
  ]);
});

it('refuses more than 200 entities in the lists of a request together', async () => {
  const gateway = await startTestGateway({ federation: true, api: answerJson({}, 404) });
  const r = toIds(101).map((id) => ({ __typename: 'Study', id }));

  const { data, errors } = await gateway.graphql(
    `query ($r: [_Any!]!) {
      a: _entities(representations: $r) { __typename }
      b: _entities(representations: $r) { __typename }
    }`,
    { r },
  );
  const untouched = await startTestGateway({ federation: true });
  const long = await find(untouched, toIds(201));

  expect([data, long.data]).toEqual([null, null]);
  const extensions = { code: 'BAD_USER_INPUT', outcome: 'NOT_SENT', retryable: false };
  expect(errors).toMatchObject([{ path: ['b'], extensions }]);
  expect(long.errors).toMatchObject([{ path: ['_entities'], extensions }]);
  expect(untouched.calls).toEqual([]);
});

it('refuses ids that are no UUIDs, and other representations, and reads the others', async () => {
  const gateway = await startTestGateway({ federation: true, api: answerStudy });
  const ids = ['../admin', `{${toId(1)}}`, '', 7, null, undefined];
  const others = [{ __typename: 'Project', id: toId(1) }, { id: toId(1) }, 'Study', [], 1];

  const { data, errors = [] } = await gateway.graphql<Entities>(findStudies, {
    representations: [...[...ids, toId(2)].map((id) => ({ __typename: 'Study', id })), ...others],
  });

  const nulls = (count: number) => Array<null>(count).fill(null);
  expect(data?._entities).toEqual([...nulls(6), toStudy(2), ...nulls(5)]);
  expect(errors.map(({ path }) => path)).toEqual(
    [0, 1, 2, 3, 4, 5, 7, 8, 9, 10, 11].map((index) => ['_entities', index]),
  );
  for (const { extensions } of errors)
    expect(extensions).toMatchObject({ code: 'BAD_USER_INPUT', outcome: 'NOT_SENT' });
  expect(toLedger(gateway)).toEqual([`GET /studies/${toId(2)}`]);
});

it('requires a token like every other field', async () => {
  const gateway = await startTestGateway({ federation: true });

  const { errors } = await find(gateway, [toId(1)], { authorization: '' });

  expect(errors).toMatchObject([{ extensions: { code: 'UNAUTHENTICATED' } }]);
  expect(gateway.calls).toEqual([]);
});
