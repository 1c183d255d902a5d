// Sends distinct documents to a gateway and prints the heap that is left after a full collection, every 20,000 of them
// and at the half: every other one without a token, the others with calls that the Study API accepts. Needs `node --expose-gc`.
// npm run soak:documents [-- <how many>]
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
const gateway = await startGateway({
  ...readConfig({}),
  port: 0,
  studyApiUrl: new URL(`http://127.0.0.1:${port}`),
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
      // Every name is new to V8, as alias and as the name of an operation.
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
  // What a collection lets go of may free more in the next one.
  for (let run = 0; run < 4; run++) collect();
  console.log(JSON.stringify({ documents: last, heapMb: process.memoryUsage().heapUsed / 1e6 }));
}

await agent.close();
await gateway.close();
api.close();
