import { expect, it } from 'vitest';
import { startTestGateway } from '../support/gateway.js';
import { wholeStudy } from '../support/studies.js';
import { answerJson, type Respond } from '../support/study-api.js';

const { id } = wholeStudy;
const twoStudies = `mutation {
  first: createStudy(input: { description: "1" }) { id description }
  second: createStudy(input: { description: "2" }) { id description }
}`;

/** Answers with the description that it was sent, in turn as the list says: stored, or with a status. */
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
      // Long enough for a second call to come in, if there were one.
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

it('has the first study in data when the second one fails', async () => {
  const { graphql, calls } = await startTestGateway({ api: answerInTurn(201, 409) });

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
  expect(calls).toHaveLength(2);
});

it('goes on with the second one when the first one fails', async () => {
  const { graphql, calls } = await startTestGateway({ api: answerInTurn(500, 200) });

  const result = await graphql(twoStudies);

  expect(result).toMatchObject({
    data: { first: null, second: { id, description: '2' } },
    errors: [{ path: ['first'], extensions: { code: 'UPSTREAM_ERROR', outcome: 'UNKNOWN' } }],
  });
  expect(calls).toHaveLength(2);
});

it('says of each study for itself what became of it', async () => {
  const { graphql } = await startTestGateway({
    api: (response, call, request) =>
      call.method === 'POST'
        ? answerJson({ ...wholeStudy, projectId: 7 })(response, call, request)
        : answerJson({}, 403)(response, call, request),
  });

  const result = await graphql(`mutation {
    create: createStudy(input: {}) { id projectId }
    edit: editStudy(id: "${id}", input: {}) { id }
  }`);

  expect(result).toMatchObject({
    data: { create: { id, projectId: null }, edit: null },
    errors: [
      { path: ['create', 'projectId'], extensions: { outcome: 'APPLIED', studyId: id } },
      { path: ['edit'], extensions: { code: 'FORBIDDEN', outcome: 'REJECTED' } },
    ],
  });
});
