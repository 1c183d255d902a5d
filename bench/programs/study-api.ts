// A stub of the Study API that answers at once. It runs in a process of its own, whose CPU time is not measured. The token
// `refuse-<status>` gets that status.
import { createServer, type ServerResponse } from 'node:http';
import { isDeepStrictEqual } from 'node:util';
import { createStudy, editInput, input, token } from '../lib/study.ts';

/** Bodies of refusals, as FastAPI writes them. */
const refusals: Readonly<Record<string, string>> = {
  401: '{"detail":"Not authenticated"}',
  422: '{"detail":[{"type":"uuid_parsing","loc":["body","projectId"],"msg":"Input should be a valid UUID"}]}',
};

const study = createStudy();
const answer = Buffer.from(JSON.stringify(study));
const page = Buffer.from(
  JSON.stringify({ items: Array(100).fill(study), total: 100, page: 1, size: 100, pages: 1 }),
);
/** Bodies that were compared with the inputs of the benchmark: each contender writes its fields in an order of its own. */
const known = new Set<string>();

const server = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    const { method, url = '', headers } = request;
    const { authorization = '' } = headers;
    const [, refusal] = /^Bearer refuse-(\d+)$/.exec(authorization) ?? [];
    if (refusal !== undefined) send(response, Number(refusal), refusals[refusal] ?? '{}');
    else if (authorization !== `Bearer ${token}`) send(response, 401, '{}');
    else if (method === 'GET') send(response, 200, url.startsWith('/studies?') ? page : answer);
    else if (isRight(Buffer.concat(chunks).toString())) send(response, 200, answer);
    else send(response, 500, '{"detail":"not the input of the benchmark"}');
  });
});
// Longer than the pause between two rounds, in which Node's default of 5 s would close the gateways' connections.
server.keepAliveTimeout = 600_000;
server.listen(Number(process.env['PORT']), '127.0.0.1');

function isRight(body: string): boolean {
  if (known.has(body)) return true;
  const value: unknown = JSON.parse(body);
  const found = [input, editInput].some((it) => isDeepStrictEqual(it, value));
  if (found) known.add(body);
  return found;
}

function send(response: ServerResponse, status: number, body: string | Buffer): void {
  response.writeHead(status, {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(body),
  });
  response.end(body);
}
