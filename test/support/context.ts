import type { Context, FieldContext } from '../../src/context.js';
import { createClient, type JsonObject, type RestCall, type Step } from 'rest-outcome';
import { assumed } from 'study-gateway-contract';
import { AnswerBudget, AnswerRoom } from '../../src/graphql/answer-room.js';
import { EqualReads } from '../../src/study/equal-reads.js';
import { StudyApi } from '../../src/study/study.api.js';
import { compileContract } from '../../src/study/study.contract.js';

const contract = compileContract(assumed);

/** Creates the GraphQL context of an operation whose calls to the Study API are answered by `send`. */
export function createTestContext(send: (call: RestCall) => Promise<JsonObject>): Context {
  const requestId = 'the-id';
  const caller = {
    token: () => 'token',
    callerId: () => 'caller',
    logId: () => undefined,
  };
  const client = createClient({ baseUrl: 'http://127.0.0.1:1', wrap: [() => send] });
  const operation = client.begin({});
  const room = new AnswerRoom(new AnswerBudget(0));
  const at = (field: Step): FieldContext => ({
    scope: operation,
    studies: new StudyApi(field, () => {}, contract, new EqualReads()),
  });
  const toRateKey = async (): Promise<string> => 'key';
  return { requestId, startedAt: performance.now(), caller, operation, at, toRateKey, room };
}
