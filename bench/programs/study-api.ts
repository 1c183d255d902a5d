// A stub of the Study API that answers at once. It runs in a process of its own, whose CPU time is not measured.
// `PUT /` with `{ bytes, delayMs }` sets the size and delay of answers; `GET /` returns the body of the last call.
import { createServer, type ServerResponse } from 'node:http';
import { createStudy, token, USUAL_BYTES } from '../lib/study.ts';

let answer = toAnswer(USUAL_BYTES);
let delayMs = 0;
let last: Buffer[] = [];

const server = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    if (request.method === 'POST' && request.url === '/studies') {
      last = chunks;
      if (request.headers.authorization !== `Bearer ${token}`) send(response, 401, '{}');
      else if (delayMs === 0) send(response, 200, answer);
      else setTimeout(send, delayMs, response, 200, answer);
    } else if (request.method === 'PUT') {
      const settings = JSON.parse(Buffer.concat(chunks).toString());
      answer = toAnswer(settings.bytes);
      delayMs = settings.delayMs;
      send(response, 200, '{}');
    } else send(response, 200, Buffer.concat(last));
  });
});
// Longer than the pause between two rounds, in which Node's default of 5 s would close the gateways' connections.
server.keepAliveTimeout = 600_000;
server.listen(Number(process.env['PORT']), '127.0.0.1');

function toAnswer(bytes: number): Buffer {
  return Buffer.from(JSON.stringify(createStudy(bytes)));
}

function send(response: ServerResponse, status: number, body: string | Buffer): void {
  response.writeHead(status, {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(body),
  });
  response.end(body);
}
