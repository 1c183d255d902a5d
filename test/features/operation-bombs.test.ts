import { expect, it } from 'vitest';
import { parse, validate } from 'graphql';
import { schema } from '../../src/graphql/schema.js';
import { costlyDocuments } from './accepted-documents.fixture.js';
import { abysses, bombs, nest, post } from '../support/bombs.js';
import { measureBest } from '../support/cpu.js';
import { startTestGateway, type TestGateway } from '../support/gateway.js';

/** Maximum CPU time of a document that passes the limits, in ms. */
const MAX_CPU_MS = 10;
/** Maximum CPU time of a document that is refused, in ms: half of what any request without a token may cost. */
const MAX_REFUSAL_MS = 30;

it.each(bombs)('a document that is refused costs less than 30 ms of CPU: %s', async (_, query) => {
  const gateway = await startTestGateway();
  const best = await measureBest(MAX_REFUSAL_MS, async (run) => {
    const { status } = await post(gateway, JSON.stringify({ query: `${query} #${run}` }));
    expect(status).toBe(400);
  });

  expect(best).toBeLessThan(MAX_REFUSAL_MS);
  expect(gateway.calls).toEqual([]);
});

/**
 * Returns the maximum CPU time of a document in ms: 10, or four times the time that graphql-js alone takes now to parse
 * and validate the document, because load can slow down a machine more than `spin` shows.
 */
async function toBound(query: string): Promise<number> {
  const alone = await measureBest(MAX_CPU_MS, async () => {
    expect(validate(schema, parse(query))).toEqual([]);
  });
  return Math.max(MAX_CPU_MS, 4 * alone);
}

/** Measures the CPU time of a query in ms, as `measureBest` does; `undefined` if the gateway refuses the query. */
async function measure(gateway: TestGateway, query: string): Promise<number | undefined> {
  const { status } = await post(gateway, { query });
  if (status !== 200) return undefined;
  return measureBest(MAX_CPU_MS, async (run) => {
    const response = await gateway.post({ query: `${query} #${run}` });
    await response.text();
  });
}

it.each(costlyDocuments)(
  'a document that passes the limits costs less than 10 ms of CPU: %s',
  async (_, query) => {
    const gateway = await startTestGateway();

    expect(await measure(gateway, query)).toBeLessThan(await toBound(query));
  },
);

it.each(abysses)('ends in a clean error: %s', async (_, body) => {
  const gateway = await startTestGateway();

  const result = await post(gateway, body);

  expect(result).toMatchObject({
    status: 400,
    body: { errors: [{ extensions: { outcome: 'NOT_SENT', retryable: false } }] },
  });
  expect(JSON.stringify(result)).not.toMatch(/call stack|RangeError|INTERNAL_SERVER_ERROR/i);
  expect([...gateway.calls, ...gateway.log.filter(({ level }) => Number(level) > 30)]).toEqual([]);
});

it('ignores deeply nested JSON in places that no operation reads', async () => {
  const gateway = await startTestGateway();
  const nested = nest('[', ']', 3_000);

  const result = await post(
    gateway,
    `{"query":"{ __typename }","variables":{"a":${nested}},"extensions":{"a":${nested}},"a":${nested}}`,
  );

  expect(result).toEqual({ status: 200, body: { data: { __typename: 'Query' } } });
});
