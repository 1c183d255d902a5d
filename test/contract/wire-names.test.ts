import { expect, it } from 'vitest';
import { assumed, type Contract } from 'study-gateway-contract';
import { startTestGateway } from '../support/gateway.js';
import { wholeStudy } from '../support/studies.js';
import { answerJson } from '../support/study-api.js';

const { planId, progress, ...others } = wholeStudy;
const { id, description } = wholeStudy;

const names = { planId: 'plan_id', progress: 'state' };
const contract: Contract = { ...assumed, answer: { ...assumed.answer, names } };
const query = 'mutation { createStudy(input: {}) { id planId description progress { total } } }';

it('can each be named by a contract, and errors and drift have the names in GraphQL', async () => {
  const state = { total: 7, completed: 1, failed: 0 };
  const answers = [
    { ...others, plan_id: planId, state },
    { ...others, plan_id: 7, state: { ...state, total: 'many' } },
    { ...others, planId, progress, state: { ...state, sum: 2 } },
  ];
  const { graphql, log } = await startTestGateway({
    contract,
    api: (...exchange) => answerJson(answers.shift())(...exchange),
  });
  const toDrift = () =>
    log.filter(({ msg }) => msg === 'the Study API differs from its contract').map(toLabels);

  expect(await graphql(query)).toEqual({
    data: { createStudy: { id, planId, description, progress: { total: 7 } } },
  });
  expect(toDrift()).toEqual([]);
  expect(await graphql(query)).toMatchObject({
    data: { createStudy: { id, planId: null, description, progress: { total: null } } },
    errors: [
      {
        message:
          'The Study API answered "planId" with a number where a string or null was expected.',
        path: ['createStudy', 'planId'],
      },
      {
        message:
          'The Study API answered "progress.total" with a string where a 32-bit integer or null was expected.',
        path: ['createStudy', 'progress', 'total'],
      },
    ],
  });
  expect(await graphql(query)).toMatchObject({
    data: { createStudy: { id, planId: null, description, progress: { total: 7 } } },
    errors: [{ path: ['createStudy', 'planId'] }],
  });
  expect(toDrift()).toEqual([
    ['planId', 'a string or null', 'a number'],
    ['progress.total', 'a 32-bit integer or null', 'a string'],
    ['planId', 'nothing', 'a string'],
    ['progress', 'nothing', 'an object'],
    ['planId', 'a string or null', 'nothing'],
  ]);
});

function toLabels({ field, expected, received }: Readonly<Record<string, unknown>>): unknown[] {
  return [field, expected, received];
}

it('show no study where its fields are missing', async () => {
  const answer = { ...assumed.answer, names: { id: '/id' }, fields: '/attributes' };
  const gateway = await startTestGateway({
    contract: { ...assumed, answer },
    api: answerJson({ id }),
  });

  expect(await gateway.graphql(`{ study(id: "${id}") { description } }`)).toMatchObject({
    data: { study: null },
    errors: [{ extensions: { code: 'UPSTREAM_CONTRACT' } }],
  });
});
