import { expect, it } from 'vitest';
import { studyProblem } from 'study-gateway-client';
import { startTestGateway } from '../support/gateway.js';

const create = `mutation ($input: CreateStudyInput!) {
  createStudy(input: $input, idempotencyKey: "the-key") { id }
}`;

it('says that a key was used before with other arguments', async () => {
  const { graphql } = await startTestGateway();
  await graphql(create, { input: { description: 'One' } });

  const { errors } = await graphql(create, { input: { description: 'Two' } });

  expect(studyProblem({ graphQLErrors: errors })).toMatchObject({
    kind: 'notSent',
    code: 'BAD_USER_INPUT',
    reason: 'IDEMPOTENCY_KEY_REUSED',
  });
});
