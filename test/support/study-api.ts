import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { listen } from './listen.js';

/** A request as the Study API received it. */
export interface ReceivedCall {
  readonly method: string;
  /** Path and query of the request line. */
  readonly url: string;
  readonly headers: IncomingMessage['headers'];
  /** The body, decoded as UTF-8. */
  readonly body: string;
}

/** Answers one call, after its body has been read completely. */
export type Respond = (
  response: ServerResponse,
  call: ReceivedCall,
  request: IncomingMessage,
) => void;

export interface TestStudyApi {
  readonly url: string;
  /** All calls that were received completely, oldest first. */
  readonly calls: readonly ReceivedCall[];
}

/** Starts an HTTP server on a free port whose calls `respond` answers. It closes when the test ends. */
export async function startStudyApi(respond: Respond): Promise<TestStudyApi> {
  const calls: ReceivedCall[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { method = '', url = '', headers } = request;
      const call = { method, url, headers, body: Buffer.concat(chunks).toString('utf8') };
      calls.push(call);
      respond(response, call, request);
    });
  });
  return { url: await listen(server), calls };
}

/** Returns a handler that answers every call with `body` as JSON. */
export function answerJson(
  body: unknown,
  status = 200,
  headers: Record<string, string> = {},
): Respond {
  return (response) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers });
    response.end(JSON.stringify(body));
  };
}
