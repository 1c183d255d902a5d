import { newIdempotencyKey, studyProblem } from 'study-gateway-client';

globalThis.describe = async () => {
  const problem = studyProblem(new TypeError('Network request failed')).kind;
  try {
    return { problem, key: newIdempotencyKey() };
  } catch (error) {
    return { problem, key: error.message };
  }
};
