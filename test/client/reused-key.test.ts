import { expect, it } from 'vitest';
import { studyProblem } from 'study-gateway-client';
import { startTestGateway } from '../support/gateway.js';

const create = `mutation ($input: CreateStudyInput!) {
  createStudy(input: $input, idempotencyKey: "7d3c1f7e-8a53-4e0b-9a52-3d1f6c0a2b11") { id }
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
