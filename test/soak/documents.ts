// Sends distinct documents to a gateway, half of them with a token and half without, and prints the heap after a full
// garbage collection: every 20,000 documents, or after each half if there are fewer than 40,000.
// Run by `npm run soak:documents [-- <number of documents>]`; needs `node --expose-gc`.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pino } from 'pino';
import { Agent } from 'undici';
import { readConfig } from '../../src/config/config.js';
import { startGateway } from '../../src/gateway.js';
import { wholeStudy } from '../support/studies.js';

const CONNECTIONS = 16;

const collect = globalThis.gc;
if (!collect) throw new Error('It needs node --expose-gc.');
const count = Number(process.argv[2] ?? 100_000);
const step = Math.min(20_000, count / 2);

const study = JSON.stringify(wholeStudy);
const api = createServer((request, response) => {
  request.resume().once('end', () => {
    response.writeHead(200, { 'content-type': 'application/json' }).end(study);
  });
}).listen(0, '127.0.0.1');
await new Promise((resolve) => api.once('listening', resolve));
const { port } = api.address() as AddressInfo;
const config = readConfig({});
const gateway = await startGateway({
  ...config,
  http: { ...config.http, port: 0 },
  rest: { ...config.rest, baseUrl: new URL(`http://127.0.0.1:${port}`) },
  logger: pino({ level: 'silent' }),
});
const agent = new Agent({ connections: CONNECTIONS });

let next = 0;
async function send(last: number): Promise<void> {
  while (next < last) {
    const n = next++;
    const { body, statusCode } = await agent.request({
      origin: gateway.url,
      path: '/graphql',
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        ...(n % 2 === 0 && { authorization: 'Bearer t' }),
      },
      // Each document has new aliases and a new operation name, so that any cache of names would grow.
      body: JSON.stringify({
        query: `mutation M${n} { a${n}: createStudy(input: {}) { b${n}: id c${n}: status progress { d${n}: total } } }`,
      }),
    });
    const text = await body.text();
    if (statusCode !== 200 || !text.includes(`"a${n}"`)) throw new Error(text);
  }
}

for (let last = step; last <= count; last += step) {
  await Promise.all(Array.from({ length: CONNECTIONS }, () => send(last)));
  // Collects repeatedly, because objects finalized by one garbage collection may free others only in the next.
  for (let run = 0; run < 4; run++) collect();
  console.log(JSON.stringify({ documents: last, heapMb: process.memoryUsage().heapUsed / 1e6 }));
}

await agent.close();
await gateway.close();
api.close();
