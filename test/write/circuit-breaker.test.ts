import { beforeEach, expect, it, vi } from 'vitest';
import { answerBytes, cut, startRefusingUrl, stayAlive, toHead } from '../support/faults.js';
import {
  createStudy,
  run,
  study,
  toFailedResponse,
  toLedger,
  type Failure,
} from '../support/operations.js';
import { startTestGateway, type TestGateway, type TestGatewayOptions } from '../support/gateway.js';
import { answerJson, type Respond } from '../support/study-api.js';
import { wholeStudy } from '../support/studies.js';

/** Defaults: the circuit opens for 5 s when half of the calls within 10 s, at least 20, have failed. */
const MIN_CALLS = 20;
const OPEN_MS = 5_000;
const SAMPLE_MS = 10_000;

const refused: Failure = {
  reason: 'The circuit breaker is open: too many recent calls failed.',
  code: 'UPSTREAM_UNAVAILABLE',
  outcome: 'NOT_SENT',
  retryable: { write: true, read: true },
  retryAfterSeconds: OPEN_MS / 1000,
};
const created = { data: { createStudy: wholeStudy } };

// Fakes only the clocks; timers are real.
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date', 'performance'] });
  return () => vi.useRealTimers();
});

/** Runs `count` operations concurrently. */
async function runMany(gateway: TestGateway, count: number): Promise<void> {
  await Promise.all(Array.from({ length: count }, () => run(gateway, createStudy)));
}

/** Returns the states of the circuit in the log. */
function toLoggedStates({ log }: TestGateway): unknown[] {
  return log.filter(({ circuit }) => circuit !== undefined).map(({ circuit }) => circuit);
}

const toState = (gateway: TestGateway): unknown => toLoggedStates(gateway).at(-1) ?? 'closed';

/** Creates a Study API that answers as `first` does, until `become` replaces its behavior. */
function createFickleApi(first: Respond): { api: Respond; become: (answer: Respond) => void } {
  let answer = first;
  return {
    api: (...args) => answer(...args),
    become: (next) => (answer = next),
  };
}

const fail = answerBytes('', {}, 503);
const succeed = answerJson(wholeStudy);

it.each([
  ['refused connections', async () => ({ studyApiUrl: await startRefusingUrl() })],
  ['lost connections', () => ({ api: cut('', 'RST') })],
  ['cut answers', () => ({ api: cut(toHead('200 OK', ['content-length: 9'], '{'), 'RST') })],
  ['timeouts', () => ({ api: stayAlive, deadlineMs: 100 })],
  ['503', () => ({ api: fail })],
])('opens on %s, and logs this', async (_, toOptions) => {
  const gateway = await startTestGateway(await toOptions());
  await runMany(gateway, MIN_CALLS - 1);
  expect(toState(gateway)).toBe('closed');

  await runMany(gateway, 1);

  expect(toLoggedStates(gateway)).toEqual(['open']);
});

it('opens when half of the calls have failed, and not before', async () => {
  const { api, become } = createFickleApi(succeed);
  const gateway = await startTestGateway({ api });
  await runMany(gateway, MIN_CALLS);
  become(fail);
  await runMany(gateway, MIN_CALLS - 1);
  expect(toState(gateway)).toBe('closed');

  await runMany(gateway, 1);

  expect(toState(gateway)).toBe('open');
});

it('counts the calls of the last 10 s at any time, so that a short disturbance does not open it', async () => {
  const { api, become } = createFickleApi(succeed);
  const gateway = await startTestGateway({ api });
  await runMany(gateway, 1);
  vi.advanceTimersByTime(SAMPLE_MS - 1_000);
  await runMany(gateway, 2 * MIN_CALLS);
  vi.advanceTimersByTime(1_000);
  become(fail);

  await runMany(gateway, MIN_CALLS);

  expect(toState(gateway)).toBe('closed');
});

it.each([createStudy, study])(
  'answers $field with UPSTREAM_UNAVAILABLE, NOT_SENT while the circuit is open, and sends nothing',
  async (operation) => {
    const gateway = await startTestGateway({ api: fail });
    await runMany(gateway, MIN_CALLS);

    const answer = await run(gateway, operation);
    vi.advanceTimersByTime(OPEN_MS - 1);
    const later = await run(gateway, operation);

    expect(answer.body).toEqual(toFailedResponse(operation, answer, refused));
    expect(later.body).toEqual(
      toFailedResponse(operation, later, { ...refused, retryAfterSeconds: 1 }),
    );
    expect(toLedger(gateway)).toHaveLength(MIN_CALLS);
  },
);

/** Starts a gateway whose circuit lets the next call through as a probe, and a failing API that `become` changes. */
async function startHalfOpening(options: TestGatewayOptions = {}) {
  const { api, become } = createFickleApi(fail);
  const gateway = await startTestGateway({ api, ...options });
  await runMany(gateway, MIN_CALLS);
  vi.advanceTimersByTime(OPEN_MS);
  return { gateway, become };
}

it.each([{ maxCalls: 1 }, { maxCalls: 256 }])(
  'lets one call through as a probe after 5 s and refuses other calls at once, with %o',
  async (limits) => {
    const { gateway, become } = await startHalfOpening(limits);
    const arrived = Promise.withResolvers<() => void>();
    become((...args) => arrived.resolve(() => succeed(...args)));
    const probe = run(gateway, createStudy);
    const answerProbe = await arrived.promise;

    const answer = await run(gateway, study);

    expect(answer.body).toEqual(
      toFailedResponse(study, answer, { ...refused, retryAfterSeconds: 1 }),
    );
    expect(toState(gateway)).toBe('half-open');
    expect(toLedger(gateway)).toHaveLength(MIN_CALLS + 1);
    answerProbe();
    expect((await probe).body).toEqual(created);
  },
);

it.each([
  ['a study', succeed],
  ['a 500', answerBytes('', {}, 500)],
])('closes when the probe is answered with %s, and forgets earlier failures', async (_, answer) => {
  const { gateway, become } = await startHalfOpening();
  become(answer);
  await run(gateway, createStudy);
  expect(toState(gateway)).toBe('closed');

  become(fail);
  await runMany(gateway, MIN_CALLS - 2);

  expect(toLoggedStates(gateway)).toEqual(['open', 'half-open', 'closed']);
  expect(toLedger(gateway)).toHaveLength(MIN_CALLS + 1 + MIN_CALLS - 2);
});

it('opens again when the probe fails, whatever the system clock says, and does not retry the probe', async () => {
  const { gateway } = await startHalfOpening();
  vi.setSystemTime(Date.now() - 3_600_000);

  await run(gateway, study);
  const answer = await run(gateway, study);

  expect(answer.body).toEqual(toFailedResponse(study, answer, refused));
  expect(toLoggedStates(gateway)).toEqual(['open', 'half-open', 'open']);
  expect(toLedger(gateway)).toHaveLength(MIN_CALLS + 1);
});

it('stays closed when calls fail that began before the circuit opened', async () => {
  const held: (() => void)[] = [];
  const { api, become } = createFickleApi((...args) => void held.push(() => fail(...args)));
  const gateway = await startTestGateway({ api });
  const early = runMany(gateway, MIN_CALLS);
  await vi.waitUntil(() => held.length === MIN_CALLS);
  become(fail);
  await runMany(gateway, MIN_CALLS);
  vi.advanceTimersByTime(OPEN_MS);
  become(succeed);
  await run(gateway, createStudy);

  for (const answer of held) answer();
  await early;

  expect(toLoggedStates(gateway)).toEqual(['open', 'half-open', 'closed']);
});
