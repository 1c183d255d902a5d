import { expect, it } from 'vitest';
import { assumed, type Contract } from 'study-gateway-contract';
import { startTestGateway } from '../support/gateway.js';
import { wholeStudy } from '../support/studies.js';
import { answerJson, type Respond } from '../support/study-api.js';

const verdicts = { applied: [200, 201], rejected: [400], success: { '/ok': true } };
const contract: Contract = {
  ...assumed,
  answer: { ...assumed.answer, at: '/data' },
  verdicts,
};
const key = '7c9e6679-7425-40de-944b-e07fc1f90ae7';
const create = (key: string) =>
  `mutation { createStudy(input: {}, idempotencyKey: "${key}") { id } }`;
const yes = { ok: true, data: wholeStudy };

const answerCut: Respond = (response) => {
  const begin = JSON.stringify({ data: wholeStudy }).replace(/\}$/, ',"o');
  response.writeHead(201, { 'content-length': 99_999 });
  response.write(begin, () => response.destroy());
};

it.each<[name: string, api: Respond, outcome: string]>([
  ['a refusal with 200', answerJson({ ok: false, why: 'closed' }), 'REJECTED'],
  ['a listed refusal', answerJson({ why: 'closed' }, 400), 'REJECTED'],
  ['a refusal that is not listed', answerJson({ why: 'closed' }, 409), 'UNKNOWN'],
  ['a 2xx that is not listed', answerJson(yes, 202), 'UNKNOWN'],
  ['a 200 without a yes', answerJson({ data: wholeStudy }), 'UNKNOWN'],
  ['an empty 201', (response) => void response.writeHead(201).end(), 'UNKNOWN'],
  ['a 201 that is cut after the id, before its yes', answerCut, 'UNKNOWN'],
])('says the contract’s verdict of %s, and of its repeat with the key', async (_, api, outcome) => {
  const { graphql, calls } = await startTestGateway({ contract, api });

  const first = await graphql(create(key));
  const second = await graphql(create(key));

  for (const { data, errors } of [first, second]) {
    expect(data).toEqual({ createStudy: null });
    expect(errors).toMatchObject([{ extensions: { outcome, retryable: false } }]);
  }
  // A rejected write is asked again; nothing is sent after UNKNOWN.
  expect(calls).toHaveLength(outcome === 'REJECTED' ? 2 : 1);
});

it('reads a study that does not exist, and a token that is refused, without the verdicts of writes', async () => {
  const { graphql } = await startTestGateway({
    contract,
    api: (...given) =>
      answerJson({ why: 'no' }, given[1].url.endsWith(wholeStudy.id) ? 404 : 401)(...given),
  });
  const read = (id: string) => graphql(`{ study(id: "${id}") { id } }`);

  expect(await read(wholeStudy.id)).toEqual({ data: { study: null } });
  expect(await read(key)).toMatchObject({ errors: [{ extensions: { code: 'UNAUTHENTICATED' } }] });
});
