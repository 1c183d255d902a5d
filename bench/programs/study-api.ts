// A stub of the Study API that answers at once. It runs in a process of its own, whose CPU time is not measured.
// `PUT /` with `{ bytes, delayMs }` sets the size and delay of answers; `GET /` returns the body of the last call. The
// token `refuse-<status>` gets that status. The stub also accepts traces, as an OTLP collector does.
import { createServer, type ServerResponse } from 'node:http';
import { createStudy, token, USUAL_BYTES } from '../lib/study.ts';

/** Bodies of refusals, as FastAPI writes them. */
const refusals: Readonly<Record<string, string>> = {
  401: '{"detail":"Not authenticated"}',
  422: '{"detail":[{"type":"uuid_parsing","loc":["body","projectId"],"msg":"Input should be a valid UUID"}]}',
};

/** A page of 100 studies. */
const page = Buffer.from(
  JSON.stringify({
    items: Array.from({ length: 100 }, () => createStudy(USUAL_BYTES)),
    total: 100,
    page: 1,
    size: 100,
    pages: 1,
  }),
);
let answer = toAnswer(USUAL_BYTES);
let delayMs = 0;
let last: Buffer[] = [];

const server = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    if (request.url?.startsWith('/studies')) {
      last = chunks;
      const { authorization = '' } = request.headers;
      const [, refusal] = /^Bearer refuse-(\d+)$/.exec(authorization) ?? [];
      if (refusal !== undefined) send(response, Number(refusal), refusals[refusal] ?? '{}');
      else if (authorization !== `Bearer ${token}`) send(response, 401, '{}');
      else if (request.method === 'GET' && !request.url.startsWith('/studies/'))
        send(response, 200, page);
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
