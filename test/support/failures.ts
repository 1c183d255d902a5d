import { answerBytes, cut, stayAlive, startRefusingUrl, toHead } from './faults.js';
import { startHoldingApi } from './held-calls.js';
import { newKey, toRunKeyed, withVariables, createStudy as write } from './keyed.js';
import { createStudy, run } from './operations.js';
import { startDeafPort } from './retries.js';
import { memoryStore, type FailureName } from 'rest-outcome';
import { startTestGateway, type TestGateway, type TestGatewayOptions } from './gateway.js';
import { wholeStudy } from './studies.js';
import { answerJson, type Respond } from './study-api.js';

const long = ['content-type: application/json', 'content-length: 1000'];

function answer(status: number): { api: Respond } {
  return { api: answerBytes('{}', {}, status) };
}

/** For each failure: a Study API, and settings of the gateway, with which every call ends in this failure. */
export const misbehaving = {
  connectionLost: { api: cut('', 'RST') },
  timeout: { api: stayAlive, deadlineMs: 250 },
  timeoutInBody: { api: cut(toHead('200 OK', long, '{'), 'never'), deadlineMs: 250 },
  unreadableAnswer: { api: answerBytes(`${JSON.stringify(wholeStudy)} and more`) },
  entityNotShown: { api: answerBytes('{}') },
  tooLong: { api: answerBytes('{}'.padEnd(5_000)), maxAnswerBytes: 4_000 },
  cutAnswer: { api: cut(toHead('200 OK', long, '{'), 'RST') },
  noRoom: {
    api: answerJson({ id: 'x'.repeat(100_000) }),
    maxAllAnswersBytes: 10_000,
  },
  redirected: answer(307),
  invalid: answer(422),
  unauthenticated: answer(401),
  forbidden: answer(403),
  notFound: answer(410),
  conflict: answer(409),
  rateLimited: answer(429),
  givenUp: answer(499),
  rejected: answer(418),
  unavailable: answer(503),
  serverError: answer(500),
} satisfies Partial<Record<FailureName, TestGatewayOptions>>;

interface Provoked {
  readonly gateway: TestGateway;
  /** The GraphQL response to the failed write. */
  readonly body: unknown;
}

type Provoke = () => Promise<Provoked>;

const otherInput = { input: { description: 'Else' } };

/** For each failure that needs more than a misbehaving Study API: a function that provokes the failure. */
export const provocations: Record<Exclude<FailureName, keyof typeof misbehaving>, Provoke> = {
  unreachable: async () => {
    const gateway = await startTestGateway({ studyApiUrl: await startRefusingUrl() });
    return { gateway, ...(await run(gateway, createStudy)) };
  },
  timeoutBeforeSending: async () => {
    const { url } = await startDeafPort();
    const gateway = await startTestGateway({
      studyApiUrl: url,
      deadlineMs: 150,
      connectTimeoutMs: 1_000,
    });
    return { gateway, ...(await run(gateway, createStudy)) };
  },
  overloaded: async () => {
    const api = await startHoldingApi();
    const gateway = await startTestGateway({
      studyApiUrl: api.url,
      maxCalls: 1,
      maxQueue: 0,
    });
    const first = run(gateway, createStudy);
    await api.holds(1);
    const { body } = await run(gateway, createStudy);
    api.answerNext();
    await first;
    return { gateway, body };
  },
  circuitOpen: async () => {
    const gateway = await startTestGateway(misbehaving.unavailable);
    for (let call = 0; call < 20; call += 1) await run(gateway, createStudy);
    return { gateway, ...(await run(gateway, createStudy)) };
  },
  keyReused: async () => {
    const gateway = await startTestGateway();
    const key = newKey();
    await toRunKeyed(gateway)(write, key);
    const body = await toRunKeyed(gateway)(withVariables(write, otherInput), key);
    return { gateway, body };
  },
  keyRefused: async () => {
    const gateway = await startTestGateway({ redisUrl: new URL('redis://127.0.0.1:1') });
    return { gateway, body: await toRunKeyed(gateway)(write, newKey()) };
  },
  keyUnsettled: async () => {
    const api = await startHoldingApi();
    // Two gateways share the store, because one would share the call.
    const additions = { keys: memoryStore({ ttlMs: 60_000 }) };
    const settings = { studyApiUrl: api.url, additions };
    const other = await startTestGateway(settings);
    const gateway = await startTestGateway({ ...settings, deadlineMs: 250 });
    const key = newKey();
    const first = toRunKeyed(other)(write, key);
    await api.holds(1);
    const body = await toRunKeyed(gateway)(write, key);
    api.answerNext();
    await first;
    return { gateway, body };
  },
  keyApplied: async () => {
    const gateway = await startTestGateway({
      api: (response, call, request) =>
        answerJson(wholeStudy, call.method === 'GET' ? 404 : 200)(response, call, request),
    });
    const key = newKey();
    await toRunKeyed(gateway)(write, key);
    return { gateway, body: await toRunKeyed(gateway)(write, key) };
  },
};
