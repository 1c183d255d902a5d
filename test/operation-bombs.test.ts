import { describe, expect, it } from 'vitest';
import { abysses, bombs, nest, post } from './bombs.fixture.js';
import { startTestGateway } from './support/gateway.js';

describe('a document that is refused', () => {
  it.each(bombs)('costs less than 10 ms of CPU: %s', async (_, query) => {
    const gateway = await startTestGateway();
    const costs: number[] = [];
    for (let run = 0; run < 15; run++) {
      const body = JSON.stringify({ query: `${query} #${run}` });
      const before = process.cpuUsage();
      const { status } = await post(gateway, body);
      const { user, system } = process.cpuUsage(before);
      expect(status).toBe(400);
      costs.push((user + system) / 1_000);
    }

    // The client's share is in it, and what else the process did: the best of several tells.
    expect(Math.min(...costs)).toBeLessThan(10);
    expect(gateway.calls).toEqual([]);
  });

  it('leaves other requests quick', async () => {
    const gateway = await startTestGateway();
    await post(gateway, { query: '{ __typename }' });

    const flood = bombs.flatMap(([, query]) => [0, 1].map(() => post(gateway, { query })));
    const started = performance.now();
    const answer = await post(gateway, { query: '{ __typename }' });
    const ms = performance.now() - started;

    expect(answer).toEqual({ status: 200, body: { data: { __typename: 'Query' } } });
    expect(ms).toBeLessThan(1_000);
    expect((await Promise.all(flood)).map(({ status }) => status)).toEqual(flood.map(() => 400));
  });
});

describe.each([
  ['by default', {}],
  [
    'with all limits raised',
    { maxDocumentTokens: 100_000, maxDocumentLength: 1_000_000, maxDepth: 100 },
  ],
])('%s', (_, options) => {
  it.each(abysses)('ends in a clean error: %s', async (_, body) => {
    const gateway = await startTestGateway(options);

    const result = await post(gateway, body);

    expect(result).toMatchObject({
      status: 400,
      body: { errors: [{ extensions: { outcome: 'NOT_SENT', retryable: false } }] },
    });
    expect(JSON.stringify(result)).not.toMatch(/call stack|RangeError|INTERNAL_SERVER_ERROR/i);
    expect([...gateway.calls, ...gateway.log.filter(({ level }) => Number(level) > 30)]).toEqual(
      [],
    );
  });
});

it('throws nested JSON away where nobody asked for it', async () => {
  const gateway = await startTestGateway();
  const nested = nest('[', ']', 100_000);

  const result = await post(
    gateway,
    `{"query":"{ __typename }","variables":{"a":${nested}},"extensions":{"a":${nested}},"a":${nested}}`,
  );

  expect(result).toEqual({ status: 200, body: { data: { __typename: 'Query' } } });
});
