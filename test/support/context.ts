import type { Context } from '../../src/context.js';
import type { Entry, JsonObject } from 'rest-outcome';
import { assumed } from 'study-gateway-contract';
import { Ledger } from '../../packages/rest-outcome/src/ledger.js';
import { Caller, forwardAuth } from '../../src/auth/caller.js';
import { ByteBudget } from '../../src/http/memory.js';
import { StudyApi } from '../../src/study/api.js';
import { compileContract } from '../../src/study/contract.js';
import { DriftError } from '../../src/study/drift.js';

const apis = {
  studies: new StudyApi((...drift) => new DriftError(...drift), compileContract(assumed)),
};

/** Creates the GraphQL context of an operation whose calls to the Study API are answered by `send`. */
export function createTestContext(send: (entry: Entry) => Promise<JsonObject>): Context {
  const requestId = 'the-id';
  const identity = { callerId: 'caller', mayWrite: true, claims: {} };
  const auth = { ...forwardAuth, authenticate: () => identity };
  const caller = new Caller(auth, { authorization: 'Bearer token' });
  const sendCall = async (entry: Entry): Promise<JsonObject> => {
    try {
      const answer = await send(entry);
      entry.succeed(answer);
      return answer;
    } catch (error) {
      entry.endUnattempted(error);
      throw error;
    }
  };
  const ledger = new Ledger(sendCall);
  const answerBytes = new ByteBudget(0).part(Infinity);
  const frontend = { name: undefined, version: undefined };
  return {
    requestId,
    startedAt: performance.now(),
    caller,
    frontend,
    ledger,
    apis,
    answerBytes,
  };
}
