import { expect, it } from 'vitest';
import { startHoldingApi } from '../support/held-calls.js';
import { newKey, toExtensions, toRunKeyed } from '../support/keyed.js';
import {
  createStudy,
  run,
  study,
  toFailedResponse,
  toRequestBody,
  type Failure,
} from '../support/operations.js';
import { startTestGateway } from '../support/gateway.js';
import { wholeStudy } from '../support/studies.js';

const retryable = { write: true, read: true };
const overloaded: Failure = {
  reason: 'The gateway has too many calls to the Study API under way.',
  code: 'OVERLOADED',
  outcome: 'NOT_SENT',
  retryable,
  retryAfterSeconds: 1,
};

const ids = [1, 2, 3, 4].map((digit) => `00000000-0000-4000-8000-00000000000${digit}`);
/** A query of many studies. Its fields call the API in the order in which they are written. */
const readAll = `{ ${ids.map((id, index) => `read${index}: study(id: "${id}") { id }`).join(' ')} }`;
const readAllRequests = ids.map((id) => `GET /studies/${id}`);
const allRead = Object.fromEntries(ids.map((id, index) => [`read${index}`, { id }]));

it.each([createStudy, study])(
  'answers $field at once with OVERLOADED, NOT_SENT when the queue is full',
  async (operation) => {
    const api = await startHoldingApi();
    const gateway = await startTestGateway({
      studyApiUrl: api.url,
      maxCalls: 2,
      maxQueue: 2,
    });
    const reading = gateway.graphql(readAll);
    await api.holds(2);

    const response = await gateway.post(toRequestBody(operation));

    const body: unknown = await response.json();
    const requestId = response.headers.get('x-request-id');
    expect(body).toEqual(
      toFailedResponse(operation, { status: 200, body, requestId, whole: '' }, overloaded),
    );
    expect(response.headers.get('retry-after')).toBe('1');
    expect(api.arrived).toEqual(readAllRequests.slice(0, 2));

    for (const _ of ids) {
      await api.holds(1);
      api.answerNext();
    }
    expect(await reading).toEqual({ data: allRead });
    expect(api.arrived).toEqual(readAllRequests);
  },
);

it('answers UPSTREAM_TIMEOUT, NOT_SENT to calls whose deadline passes in the queue, and never sends them', async () => {
  const api = await startHoldingApi();
  const gateway = await startTestGateway({ studyApiUrl: api.url, deadlineMs: 500, maxCalls: 1 });

  // When the first call times out, the deadlines of the others have passed too, or do so at once.
  const { errors } = await gateway.graphql(readAll);

  const [sent, ...queued] = errors!.map(({ extensions }) => extensions);
  expect(sent).toMatchObject({ code: 'UPSTREAM_TIMEOUT', retryable: true });
  expect(sent).not.toHaveProperty('outcome');
  const late = { code: 'UPSTREAM_TIMEOUT', outcome: 'NOT_SENT', retryable: true };
  expect(queued).toMatchObject([late, late, late]);
  const next = run(gateway, createStudy);
  await api.holds(2);
  expect(api.arrived).toEqual([readAllRequests[0], createStudy.request]);
  api.answerNext();
  api.answerNext();
  expect((await next).body).toEqual({ data: { createStudy: wholeStudy } });
});

it('refuses a call that has waited for its key if it would wait behind later ones, beyond its deadline', async () => {
  const arrival = Promise.withResolvers<() => void>();
  const gateway = await startTestGateway({
    // Only the first call is ever answered.
    api: (response) => arrival.resolve(() => void response.writeHead(429).end()),
    deadlineMs: 2_000,
    maxCalls: 1,
  });
  const runKeyed = toRunKeyed(gateway);
  const key = newKey();
  const first = runKeyed(createStudy, key);
  const refuse = await arrival.promise;
  const begunAt = performance.now();
  const waiting = runKeyed(createStudy, key, { authorization: 'Bearer another-token' });
  // More than a tenth of the deadline, so that the call has waited for long.
  await new Promise((resolve) => setTimeout(resolve, 300));
  const reading = gateway.graphql(readAll);
  await gateway.graphql('{ __typename }');
  refuse();

  expect(toExtensions(await first)).toMatchObject({ code: 'RATE_LIMITED', outcome: 'REJECTED' });
  expect(toExtensions(await waiting)).toMatchObject({ code: 'OVERLOADED', outcome: 'NOT_SENT' });
  expect(performance.now() - begunAt).toBeLessThan(2_000);
  expect((await reading).errors).toHaveLength(ids.length);
});

it('has no more calls and connections to the Study API than allowed', async () => {
  const clients = 60;
  const api = await startHoldingApi();
  const gateway = await startTestGateway({ studyApiUrl: api.url, maxCalls: 4 });
  const answers = Promise.all(Array.from({ length: clients }, () => run(gateway, createStudy)));

  // Answers the first four calls only when all four have arrived and no other call can.
  await api.holds(4);
  for (let answered = 0; answered < clients; answered += 1) {
    await api.holds(1);
    api.answerNext();
  }

  const bodies = (await answers).map(({ body }) => body);
  expect(bodies).toEqual(bodies.map(() => ({ data: { createStudy: wholeStudy } })));
  expect(api.arrived).toEqual(bodies.map(() => createStudy.request));
  expect(api.most).toEqual({ calls: 4, connections: 4 });
});
