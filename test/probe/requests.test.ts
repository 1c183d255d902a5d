import { expect, it } from 'vitest';
import { toIntervalMs } from '../../src/probe/probe.js';
import { startFastApi, studies, token, type Lie } from './fastapi.fixture.js';
import { runProbe } from './probe.fixture.js';

/** Makes the API list `count` studies, and answer a read of any id with a study. */
function withStudies(count: number): Lie {
  return (answer, { path, isKnown }) => {
    if (!isKnown || answer.status === 422) return answer;
    if (path !== '/studies') return { status: 200, body: { ...studies[0], id: path.slice(9) } };
    const items = Array.from({ length: count }, (_, index) => ({
      ...studies[0],
      id: `0b9d1f2a-6d55-4a6e-9d5c-${String(index).padStart(12, '0')}`,
    }));
    return { status: 200, body: { items, total: count, page: 1, size: 50, pages: 1 } };
  };
}

it('sends only GET requests, and 20 of them when the list is long', async () => {
  const { url, calls } = await startFastApi(withStudies(50));

  const { report } = await runProbe(url);

  expect(calls.map(({ method, body }) => `${method}${body}`)).toEqual(Array(20).fill('GET'));
  expect(report.requests).toHaveLength(20);
});

it('sends the token with all requests except the last two', async () => {
  const { url, calls } = await startFastApi();

  await runProbe(url);

  const sent = calls.map(({ headers }) => headers.authorization);
  expect(sent.slice(0, -2)).toEqual(Array(11).fill(`Bearer ${token}`));
  expect(sent.slice(-2)).toEqual([undefined, 'Bearer study-gateway-probe-wrong-token']);
});

it('does not retry a request that fails', async () => {
  const { url, calls } = await startFastApi(() => ({ status: 503, body: {} }));

  await runProbe(url);

  expect(calls).toHaveLength(1);
});

it('waits a second between requests, but not on loopback', () => {
  const intervals = ['https://api.example/v1', 'http://127.0.0.1:1', 'http://[::1]:1'].map((url) =>
    toIntervalMs(new URL(url)),
  );

  expect(intervals).toEqual([1_000, 0, 0]);
});

it('keeps the interval between requests', async () => {
  const arrivals: number[] = [];
  const { url } = await startFastApi((answer) => {
    arrivals.push(performance.now());
    return arrivals.length < 3 ? answer : { status: 429, body: {} };
  });

  const startedAt = performance.now();
  await runProbe(url, [], {}, 100);

  expect(arrivals).toHaveLength(3);
  // Timers round to whole milliseconds, so a wait may be up to 1 ms short.
  expect(arrivals[1]! - startedAt).toBeGreaterThanOrEqual(99);
  expect(arrivals[2]! - startedAt).toBeGreaterThanOrEqual(198);
});

it.for([
  [401, 'GET #3 was answered 401: the token is not accepted'],
  [429, 'GET #3 was answered 429: the API asks for fewer requests'],
  [500, 'GET #3 was answered 500: the API has a fault'],
  [503, 'GET #3 was answered 503: the API has a fault'],
] as const)('stops at an unprovoked %i', async ([status, stopped]) => {
  const { url, calls } = await startFastApi((answer, { query }) =>
    query.get('page') === '2' ? { status, body: {}, headers: { 'retry-after': '7' } } : answer,
  );

  const { exit, report, finding } = await runProbe(url);

  expect(calls).toHaveLength(3);
  expect(exit).toBe(2);
  expect(report.stopped).toBe(stopped);
  expect(finding('list.page')?.verdict).toBe('CONFIRMED');
  expect(finding('http.retry-after')).toMatchObject({ verdict: 'CONFIRMED', evidence: '1 of 1' });
  expect(finding('read.exists')?.evidence).toBe('not asked: the probe stopped');
});

it('stops at a timeout, and refutes the assumption about time', async () => {
  const { url, calls } = await startFastApi((answer, { query }) =>
    query.get('page') === '2' ? undefined : answer,
  );

  const { exit, report, ids } = await runProbe(url, [], { STUDY_API_TIMEOUT_MS: '300' });

  expect(calls).toHaveLength(3);
  expect(exit).toBe(2);
  expect(report.stopped).toBe('GET #3 failed: GET /studies: no whole answer within 300 ms');
  expect(ids('REFUTED')).toEqual(['http.time']);
});

it('stops when the connection is refused, and reports the error code', async () => {
  const { exit, report } = await runProbe('http://127.0.0.1:9');

  expect(exit).toBe(2);
  expect(report.stopped).toBe(
    'GET #1 failed: GET /studies: no connection to the API (ECONNREFUSED)',
  );
});
