import { expect, it } from 'vitest';
import { studyProblem } from 'study-gateway-client';
import { toLedger } from '../support/operations.js';
import { wholeStudy } from '../support/studies.js';
import { answerJson, type Respond } from '../support/study-api.js';
import { startRouter } from './router.fixture.js';

const createStudy =
  'mutation ($input: CreateStudyInput!) { createStudy(input: $input) { id strategy createdAt solution progress { total } } }';
const join = '{ project { studies { id description } } }';

const input = { description: 'Why?', createdAt: wholeStudy.createdAt, strategy: null };
const { id, strategy, createdAt, solution, description } = wholeStudy;
const [first, second, third] = [1, 2, 3].map((n) => `00000000-0000-4000-8000-00000000000${n}`) as [
  string,
  string,
  string,
];

/** Answers each call with a study that has the id in the URL. */
const answerStudies: Respond = (response, call, request) =>
  answerJson({ ...wholeStudy, id: call.url.split('/').at(-1) })(response, call, request);

it('creates a study, and sends the input to the Study API unchanged', async () => {
  const { graphql, gateway } = await startRouter();

  const result = await graphql(createStudy, { input });

  expect(result).toEqual({
    data: { createStudy: { id, strategy, createdAt, solution, progress: { total: 12 } } },
  });
  expect(gateway.calls).toMatchObject([
    { method: 'POST', url: '/studies', body: JSON.stringify(input) },
  ]);
});

it('joins the studies of a project by one request of the router and one GET for each study', async () => {
  const { graphql, gateway, sent } = await startRouter({
    studyIds: [first, second, first, third],
    api: answerStudies,
  });

  const { data, errors } = await graphql(join, {}, { authorization: 'Bearer of-a-client' });

  expect(errors).toBeUndefined();
  expect(data).toEqual({
    project: { studies: [first, second, first, third].map((id) => ({ id, description })) },
  });
  expect(sent).toEqual([expect.stringMatching(/_entities\(representations: ?\$\w+\)/)]);
  expect(toLedger(gateway).toSorted()).toEqual(
    [first, second, third].map((id) => `GET /studies/${id}`),
  );
  const tokens = gateway.calls.map(({ headers }) => headers.authorization);
  expect(new Set(tokens)).toEqual(new Set(['Bearer of-a-client']));
});

const cases: [string, Respond, object, string][] = [
  [
    'UNKNOWN',
    ({ socket }) => void socket?.destroy(),
    { code: 'UPSTREAM_UNAVAILABLE', outcome: 'UNKNOWN', retryable: false },
    'unknown',
  ],
  [
    'REJECTED',
    answerJson(
      { message: 'no', detail: [{ loc: ['body', 'projectId'], msg: 'no such project' }] },
      422,
    ),
    {
      code: 'BAD_USER_INPUT',
      outcome: 'REJECTED',
      retryable: false,
      upstreamStatus: 422,
      fieldErrors: [{ path: ['input', 'projectId'], message: 'no such project' }],
      upstreamMessage: 'no',
    },
    'rejected',
  ],
  [
    'APPLIED',
    answerJson({ ...wholeStudy, strategy: ['another'] }),
    { code: 'UPSTREAM_CONTRACT', outcome: 'APPLIED', retryable: false, studyId: id },
    'applied',
  ],
];

it.each(cases)('reports %s with all extensions', async (_, api, extensions, kind) => {
  const { graphql, gateway } = await startRouter({ api });

  const result = await graphql(createStudy, { input });

  // Neither the router nor the gateway has retried the call.
  expect(gateway.calls).toHaveLength(1);
  expect(result.errors).toEqual([
    expect.objectContaining({
      path: expect.arrayContaining(['createStudy']),
      // Hive Gateway adds the name of the subgraph.
      extensions: { ...extensions, requestId: expect.any(String), serviceName: 'studies' },
    }),
  ]);
  // The problem is the same as without a router.
  const direct = await gateway.graphql(createStudy, { input });
  expect({ ...studyProblem(result), requestId: undefined }).toEqual({
    ...studyProblem(direct),
    requestId: undefined,
  });
  expect(studyProblem(result).kind).toBe(kind);
});

it('lets the router compose the supergraph in production, where introspection is off', async () => {
  const { graphql } = await startRouter({
    studyIds: [first],
    api: answerStudies,
    composesItself: true,
    isProduction: true,
    introspection: false,
    sandbox: false,
  });

  const result = await graphql(join);

  expect(result).toEqual({ data: { project: { studies: [{ id: first, description }] } } });
});
