import type { Context, FieldContext } from '../../src/context.js';
import { Operation, type Field } from '../../src/rest/operation.js';
import type { JsonObject, RestCall } from '../../src/rest/rest-call.js';
import { StudyApi } from '../../src/study/study.api.js';

/** Creates the GraphQL context of an operation whose calls to the Study API are answered by `send`. */
export function createTestContext(send: (call: RestCall) => Promise<JsonObject>): Context {
  const requestId = 'the-id';
  const caller = {
    token: () => 'token',
    callerId: () => 'caller',
    logId: () => undefined,
  };
  const operation = new Operation({ send, toHeaders: () => ({}) }, {});
  const at = (field: Field): FieldContext => ({
    scope: operation,
    studies: new StudyApi(field, () => {}),
  });
  const toRateKey = async (): Promise<string> => 'key';
  return { requestId, startedAt: performance.now(), caller, operation, at, toRateKey };
}
