import { expect, it } from 'vitest';
import { request } from 'node:http';
import { text } from 'node:stream/consumers';
import { allDaily } from '../support/daily.js';
import { wholeStudy } from '../support/studies.js';
import { startTestGateway, type TestGateway } from '../support/gateway.js';
import { connectTo, readToEnd } from '../support/raw-http.js';
import { scrape } from '../support/exposition.js';

const NAMES = allDaily(10_000, 600);

/** Returns all series of the gateway, without their values. Those of Node's collector come when its kinds first run. */
async function listSeries(gateway: TestGateway): Promise<string[]> {
  const { samples } = await scrape(gateway);
  const own = samples.filter(({ name }) => name.startsWith('study_gateway_'));
  return own.map(({ name, labels }) => `${name} ${JSON.stringify(labels)}`);
}

/** Calls `run` with each index from 0, fifty at a time. */
async function flood(count: number, run: (index: number) => Promise<unknown>): Promise<void> {
  for (let index = 0; index < count; index += 50)
    await Promise.all(Array.from({ length: 50 }, (_, offset) => run(index + offset)));
}

it('has the same series after thousands of made-up names of operations, fields, clients, paths and methods', async () => {
  let call = 0;
  const gateway = await startTestGateway({
    metricsPort: 0,
    api: (response, { body }) => {
      call += 1;
      // An unknown field of another name in each answer.
      const status = body.includes('fail') ? [201, 404, 503][call % 3]! : 200;
      response.writeHead(status, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ ...wholeStudy, [`unknown${call}`]: call }));
    },
    circuitOpenMs: 1,
  });
  const send = async (index: number): Promise<void> => {
    const name = `Made${index}Up`;
    const client = { 'apollographql-client-name': name, 'apollographql-client-version': name };
    const documents = [
      `query ${name} { __typename }`,
      `query ${name} { ${name} }`,
      `query ${name} { ${name}: __schema { __typename } }`,
      `subscription ${name} { ${name} }`,
      `mutation ${name} { ${name}: createStudy(input: {}) { id } }`,
      `mutation ${name} { createStudy(input: { description: "fail" }) { id } }`,
      `mutation ${name} { a: createStudy(input: {}) { id } b: editStudy(id: "${wholeStudy.id}", input: {}) { id } }`,
    ];
    if (index % 3 > 0)
      return void (await gateway.graphql(documents[index % documents.length]!, {}, client));
    const method = ['DELETE', 'PATCH', 'QUERY', 'M-SEARCH', 'GET'][index % 5]!;
    const response = await new Promise<NodeJS.ReadableStream>((resolve, reject) =>
      request(`${gateway.url}/${name}?${name}`, { method, agent: false }, resolve)
        .on('error', reject)
        .end(),
    );
    await text(response);
    if (index % 99 > 0) return;
    // A method that Node's parser does not know.
    const socket = await connectTo(gateway.url);
    socket.write(`${name.toUpperCase()} / HTTP/1.1\r\nhost: a\r\n\r\n`);
    await readToEnd(socket);
  };

  // Every kind of request, by every method.
  await flood(250, (index) => send(NAMES + index));
  const full = await listSeries(gateway);
  await flood(NAMES, send);

  const series = await listSeries(gateway);
  expect(new Set(series)).toEqual(new Set(full));
  expect(series.filter((text) => /Made|unknown\d/.test(text))).toEqual([]);
  const { value } = await scrape(gateway);
  expect(value('study_gateway_operations_total', { root_field: 'several', code: 'none' })).toBe(
    value('study_gateway_operation_duration_seconds_count', { root_field: 'several' }),
  );
}, 120_000);
