import { IdempotencyKeys, studyProblem } from 'study-gateway-client';

const keys = new IdempotencyKeys('form');

globalThis.describe = async () => {
  const problem = studyProblem(new TypeError('Network request failed')).kind;
  try {
    return { problem, key: await keys.send({}, async ({ idempotencyKey }) => idempotencyKey) };
  } catch (error) {
    return { problem, key: error.message };
  }
};
