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

it('answers null, without an error, for a study that does not exist', async () => {
  const gateway = await startTestGateway({
    federation: true,
    api: (response, call, request) =>
      (call.url.endsWith(toId(1)) ? answerJson({}, 404) : answerStudy)(response, call, request),
  });

  const result = await find(gateway, [toId(1), toId(2)]);

  expect(result).toEqual({ data: { _entities: [null, toStudy(2)] } });
});

it('calls the Study API even if only the id is selected', async () => {
  const gateway = await startTestGateway({ federation: true, api: answerJson({}, 404) });

  const result = await gateway.graphql(
    `{ _entities(representations: [{ __typename: "Study", id: "${toId(1)}" }]) { ... on Study { id } } }`,
  );

  expect(result).toEqual({ data: { _entities: [null] } });
  expect(toLedger(gateway)).toEqual([`GET /studies/${toId(1)}`]);
});

it('reports a failure at each place in the list', async () => {
  const gateway = await startTestGateway({
    federation: true,
    api: (response, call, request) =>
      (call.url.endsWith(toId(1)) ? answerJson({}, 500) : answerStudy)(response, call, request),
  });

  const { data, errors } = await find(gateway, [toId(0), toId(1), toId(2), toId(1)]);

  const failure = {
    message: 'The Study API answered with status 500.',
    locations: [expect.any(Object)],
    extensions: {
      code: 'UPSTREAM_ERROR',
      retryable: true,
      upstreamStatus: 500,
      requestId: expect.any(String),
    },
  };
  expect(data).toEqual({ _entities: [toStudy(0), null, toStudy(2), null] });
  expect(errors).toEqual([
    { ...failure, path: ['_entities', 1] },
    { ...failure, path: ['_entities', 3] },
  ]);
});

it('reports a broken field of one study at the path of the field', async () => {
  const gateway = await startTestGateway({
    federation: true,
    api: (response, call, request) => {
      const audiences = call.url.endsWith(toId(1)) ? null : wholeStudy.audiences;
      const id = call.url.split('/').at(-1);
      answerJson({ ...wholeStudy, id, audiences })(response, call, request);
    },
  });

  const { data, errors } = await find(gateway, [toId(1), toId(2)]);

  expect(data).toEqual({ _entities: [{ ...toStudy(1), audiences: null }, toStudy(2)] });
  expect(errors).toMatchObject([
    {
      path: ['_entities', 0, 'audiences'],
      extensions: { code: 'UPSTREAM_CONTRACT', retryable: false },
    },
  ]);
});

it('has an error for each null of 200 studies', async () => {
  const gateway = await startTestGateway({
    federation: true,
    // 422, because 200 failures of another kind would open the circuit.
    api: answerJson({ detail: [{ loc: ['path', 'study_id'], msg: 'x'.repeat(200) }] }, 422),
  });

  const { data, errors } = await find(gateway, toIds(200));

  expect(data?._entities).toEqual(Array(200).fill(null));
  expect(errors?.map(({ path }) => path?.join('.')).toSorted()).toEqual(
    toIds(200)
      .map((_, index) => `_entities.${index}`)
      .toSorted(),
  );
  for (const { extensions } of errors ?? [])
    expect(extensions).toMatchObject({ code: 'BAD_USER_INPUT', upstreamStatus: 422 });
});

it('counts all the lists of a request together', async () => {
  const gateway = await startTestGateway({ federation: true, api: answerJson({}, 404) });
  const representations = toIds(101).map((id) => ({ __typename: 'Study', id }));

  const { data, errors } = await gateway.graphql(
    `query ($r: [_Any!]!) {
      a: _entities(representations: $r) { __typename }
      b: _entities(representations: $r) { __typename }
    }`,
    { r: representations },
  );

  expect(data).toBeNull();
  expect(errors).toMatchObject([
    { path: ['b'], extensions: { code: 'BAD_USER_INPUT', outcome: 'NOT_SENT', retryable: false } },
  ]);
});

it('sends nothing for a list that is too long', async () => {
  const gateway = await startTestGateway({ federation: true });

  const { data, errors } = await find(gateway, toIds(201));

  expect(data).toBeNull();
  expect(errors).toMatchObject([
    { path: ['_entities'], extensions: { code: 'BAD_USER_INPUT', outcome: 'NOT_SENT' } },
  ]);
  expect(gateway.calls).toEqual([]);
});

it.each(['../admin', `{${toId(1)}}`, '', 7, null, undefined])(
  'refuses the id %j as Query.study does, and sends nothing for it',
  async (id) => {
    const gateway = await startTestGateway({ federation: true, api: answerStudy });
    const asQuery = await gateway.graphql('query ($id: UUID!) { study(id: $id) { id } }', { id });

    const { data, errors } = await find(gateway, [id, toId(2)]);

    expect(data).toEqual({ _entities: [null, toStudy(2)] });
    expect(errors).toMatchObject([
      {
        path: ['_entities', 0],
        extensions: { code: 'BAD_USER_INPUT', outcome: 'NOT_SENT', retryable: false },
      },
    ]);
    expect(withoutTexts(errors)).toEqual(withoutTexts(asQuery.errors));
    expect(toLedger(gateway)).toEqual([`GET /studies/${toId(2)}`]);
  },
);

/** Returns the extensions of errors without request ids and without texts. */
function withoutTexts(errors: ExecutionResult['errors']): object[] | undefined {
  return errors?.map(({ extensions }) => ({
    ...extensions,
    requestId: undefined,
    fieldErrors: (extensions['fieldErrors'] as { path: unknown }[]).map(({ path }) => path),
  }));
}

it.for([{ __typename: 'Project', id: toId(1) }, { id: toId(1) }, 'Study', [], 1])(
  'refuses the representation %j, and reads the others',
  async (representation) => {
    const gateway = await startTestGateway({ federation: true, api: answerStudy });

    const { data, errors } = await gateway.graphql(findStudies, {
      representations: [representation, { __typename: 'Study', id: toId(2) }],
    });

    expect(data).toEqual({ _entities: [null, toStudy(2)] });
    expect(errors).toMatchObject([
      {
        path: ['_entities', 0],
        extensions: { code: 'BAD_USER_INPUT', outcome: 'NOT_SENT', retryable: false },
      },
    ]);
  },
);

it('requires a token like every other field', async () => {
  const gateway = await startTestGateway({ federation: true });

  const { data, errors } = await find(gateway, [toId(1)], { authorization: '' });

  expect(data).toBeUndefined();
  expect(errors).toMatchObject([
    {
      extensions: { code: 'UNAUTHENTICATED', outcome: 'NOT_SENT', retryable: false },
    },
  ]);
  expect(gateway.calls).toEqual([]);
});

it('returns no ftv1 trace to Apollo’s router, because tracing would slow down every field', async () => {
  const gateway = await startTestGateway({ federation: true, api: answerStudy });

  const result = await find(gateway, [toId(1)], { 'apollo-federation-include-trace': 'ftv1' });

  expect(result).toEqual({ data: { _entities: [toStudy(1)] } });
});
