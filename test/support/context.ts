import type { Context } from '../../src/context.js';
import type { RestClient } from '../../src/rest/rest-client.js';
import { StudyApi } from '../../src/study/study.api.js';

/** Creates the GraphQL context of an operation whose calls to the Study API are answered by `send`. */
export function createTestContext(send: RestClient['send']): Context {
  const requestId = 'the-id';
  const caller = {
    requestId,
    token: () => 'token',
    callerId: () => 'caller',
    logId: () => undefined,
  };
  const studies = new StudyApi({ send }, caller, () => {});
  return { requestId, startedAt: performance.now(), caller, studies };
}
