import { expect, it } from 'vitest';
import { wholeStudy } from '../support/studies.js';
import { startTestGateway, type TestGateway } from '../support/gateway.js';
import { scrape } from '../support/exposition.js';

const FLOOD = 300;

/** The metric that is excluded below, because its number of series grows up to the number of HTTP statuses. */
const CALLS = 'study_gateway_rest_calls_total';

/** Returns all `study_gateway_` series except those of `CALLS`. */
async function listSeries(gateway: TestGateway): Promise<string[]> {
  const { samples } = await scrape(gateway);
  return samples
    .filter(({ name }) => name.startsWith('study_gateway_') && name !== CALLS)
    .map(({ name, labels }) => `${name} ${JSON.stringify(labels)}`);
}

/** Calls `run` with 0, 1, … `FLOOD` - 1, ten at a time. */
async function flood(run: (index: number) => Promise<unknown>): Promise<void> {
  for (let index = 0; index < FLOOD; index += 10)
    await Promise.all(Array.from({ length: 10 }, (_, offset) => run(index + offset)));
}

it('has a bounded number of series, whatever clients and the Study API send', async () => {
  let turn = 0;
  const gateway = await startTestGateway({
    metricsPort: 0,
    api: (response, { body }) => {
      turn += 1;
      const status = body.includes('fail') ? 200 + (turn % 800) : 200;
      response.writeHead(status < 200 ? 200 : status, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ ...wholeStudy, [`unknown${turn}`]: turn }));
    },
    circuitOpenMs: 1,
  });
  const send = (round: number) => async (index: number) => {
    const name = `Name${round}_${index}_`.padEnd(80, 'x');
    await gateway.graphql(`query ${name} { __typename }`);
    await gateway.graphql(`mutation ${name} { createStudy(input: {}) { id } }`);
    await gateway.graphql(`mutation { createStudy(input: { description: "fail" }) { id } }`);
    await gateway.graphql(`query ${name} { unknown${index} }`);
    await fetch(`${gateway.url}/${name}`, { method: index % 2 ? 'PATCH' : 'DELETE' });
  };

  await flood(send(1));
  const full = await listSeries(gateway);
  await flood(send(2));

  const { samples } = await scrape(gateway);
  const valuesOf = (label: string, metric: string) =>
    new Set(
      samples.filter(({ name }) => name === metric).map(({ labels }) => labels[label] ?? 'none'),
    );
  const names = valuesOf('operation_name', 'study_gateway_operation_duration_seconds_count');
  const fields = valuesOf('field', 'study_gateway_drift_total');
  const routes = valuesOf('route', 'study_gateway_http_request_duration_seconds_count');
  const statuses = valuesOf('status', CALLS);
  expect(names).toContain('other');
  // At most 100 names, and `other`, `anonymous` and `unknown`.
  expect(names.size).toBeLessThanOrEqual(103);
  expect(Math.max(...[...names].map(({ length }) => length))).toBe(64);
  expect(fields).toContain('other');
  expect(fields.size).toBe(201);
  expect(routes).toEqual(new Set(['/graphql', 'other']));
  expect(statuses).toContain('other');
  // At most the 400 statuses from 200 to 599, and `other` and `none`.
  expect(statuses.size).toBeLessThanOrEqual(402);
  expect(await listSeries(gateway)).toEqual(full);
}, 60_000);
