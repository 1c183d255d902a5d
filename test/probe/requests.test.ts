import { expect, it } from 'vitest';
import { startFastApi, studies, token, type Lie } from './fastapi.fixture.js';
import { runProbe, runWriting } from './probe.fixture.js';

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

it('sends only GET requests without --write, at most ten of them for single studies', async () => {
  const { url, calls } = await startFastApi(withStudies(50));

  const { report } = await runProbe(url);

  expect(calls.map(({ method, body }) => `${method}${body}`)).toEqual(Array(21).fill('GET'));
  expect(report.requests).toHaveLength(21);
});

it('sends the token with all reads but the last two', async () => {
  const { url, calls } = await startFastApi();

  await runProbe(url);

  const sent = calls.map(({ headers }) => headers.authorization);
  expect(sent.slice(0, -2)).toEqual(Array(calls.length - 2).fill(`Bearer ${token}`));
  expect(sent.slice(-2)).toEqual([undefined, 'Bearer study-gateway-probe-wrong-token']);
});

it('keeps the interval between requests', async () => {
  const arrivals: number[] = [];
  const { url } = await startFastApi((answer) => {
    arrivals.push(performance.now());
    return arrivals.length < 3 ? answer : { status: 429, body: {} };
  });

  await runProbe(url, [], { intervalMs: 100 });

  expect(arrivals).toHaveLength(3);
  // Timers round to whole milliseconds, so a wait may be up to 1 ms short.
  expect(arrivals[2]! - arrivals[0]!).toBeGreaterThanOrEqual(190);
});

it.for([
  [401, 'answered 401, the token is not accepted'],
  [429, 'answered 429, the API asks for fewer requests'],
  [500, 'answered 500, the API has a fault'],
  [503, 'answered 503, the API has a fault'],
] as const)('stops at an unprovoked %i', async ([status, reason]) => {
  const { url, calls } = await startFastApi((answer, { query }) =>
    query.get('page') === '1' ? { status, body: {} } : answer,
  );

  const { exit, report } = await runProbe(url);

  expect(calls).toHaveLength(2);
  expect(exit).toBe(2);
  expect(report.stopped).toBe(`#2 GET /studies?page=1&size=1: ${reason}`);
});

it('stops when no answer comes in time', async () => {
  const { url, calls } = await startFastApi((answer, { query }) =>
    query.get('page') === '1' ? undefined : answer,
  );

  const { exit, report } = await runProbe(url, [], { timeoutMs: 300 });

  expect(calls).toHaveLength(2);
  expect(exit).toBe(2);
  expect(report.stopped).toBe('#2 GET /studies?page=1&size=1: no whole answer within 300 ms');
});

it('sends no write after a 429', async () => {
  const { url, calls } = await startFastApi(() => ({ status: 429, body: {} }));

  const { exit } = await runWriting(url);

  expect(calls.map(({ method }) => method)).toEqual(['PATCH']);
  expect(exit).toBe(2);
});

it('sends no request to the host of a redirect', async () => {
  const other = await startFastApi();
  const { url, calls } = await startFastApi(() => ({
    status: 307,
    body: null,
    headers: { location: `${other.url}/studies` },
  }));

  await runWriting(url);

  expect(calls.map(({ method }) => method)).toContain('POST');
  expect(other.calls).toEqual([]);
});
