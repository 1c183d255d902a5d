import { expect, it } from 'vitest';
import { startTestGateway } from '../support/gateway.js';
import { wholeStudy } from '../support/studies.js';
import { answerJson, type Respond } from '../support/study-api.js';

const { id } = wholeStudy;
const twoStudies = `mutation {
  first: createStudy(input: { description: "1" }) { id description }
  second: createStudy(input: { description: "2" }) { id description }
}`;

/** Answers each call with the next status; a 2xx has a study with the description that the call sent. */
function answerInTurn(...statuses: readonly number[]): Respond {
  let turn = 0;
  return (response, call, request) => {
    const sent = JSON.parse(call.body) as object;
    answerJson({ ...wholeStudy, ...sent }, statuses[turn++])(response, call, request);
  };
}

it('runs the mutation fields of one operation one after the other', async () => {
  const events: string[] = [];
  const { graphql } = await startTestGateway({
    api: (response, call, request) => {
      events.push(`begin ${call.body}`);
      // Long enough for a concurrent second call to arrive, if the gateway sent one.
      setTimeout(() => {
        events.push(`end ${call.body}`);
        answerJson(wholeStudy)(response, call, request);
      }, 20);
    },
  });

  await graphql(twoStudies);

  expect(events).toEqual(
    ['{"description":"1"}', '{"description":"2"}'].flatMap((body) => [
      `begin ${body}`,
      `end ${body}`,
    ]),
  );
});

it('runs every mutation, and returns the studies of those that do not fail', async () => {
  const { graphql, calls } = await startTestGateway({ api: answerInTurn(500, 201, 201, 409) });

  expect(await graphql(twoStudies)).toMatchObject({
    data: { first: null, second: { id, description: '2' } },
    errors: [{ path: ['first'], extensions: { code: 'UPSTREAM_ERROR', outcome: 'UNKNOWN' } }],
  });
  const result = await graphql(twoStudies);

  expect(result).toEqual({
    data: { first: { id, description: '1' }, second: null },
    errors: [
      {
        message: expect.any(String),
        locations: [{ line: 3, column: 3 }],
        path: ['second'],
        extensions: {
          code: 'CONFLICT',
          outcome: 'REJECTED',
          retryable: false,
          upstreamStatus: 409,
          requestId: expect.any(String),
        },
      },
    ],
  });
  expect(calls).toHaveLength(4);
});

it('reports each write under its own name, also under names that every object has', async () => {
  const names = ['__proto__', 'constructor', 'toString', 'then', 'errors'];
  const { graphql } = await startTestGateway({
    api: (...call) => {
      const { description } = JSON.parse(call[1].body) as { description: string };
      const isOdd = names.indexOf(description) % 2 === 1;
      answerJson({ ...wholeStudy, description }, isOdd ? 422 : 201)(...call);
    },
  });
  const fields = names.map(
    (name) => `${name}: createStudy(input: { description: "${name}" }) { id }`,
  );

  const { data, errors = [] } = await graphql(`mutation { ${fields.join(' ')} }`);

  expect(Object.entries(data!).map(([name, value]) => [name, value !== null])).toEqual(
    names.map((name, index) => [name, index % 2 === 0]),
  );
  expect(errors.map(({ path, extensions }) => [path, extensions['outcome']])).toEqual([
    [['constructor'], 'REJECTED'],
    [['then'], 'REJECTED'],
  ]);
});
