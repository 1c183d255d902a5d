import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer as createHttpServer, type ServerResponse } from 'node:http';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';
import { wholeStudy } from './studies.js';

/** A received write, at the moment when the server misbehaves. */
export interface Arrival {
  readonly socket: Socket;
  readonly response: ServerResponse;
  readonly description: string;
  /** Stores the write and returns the study. Without this call, nothing is stored. */
  readonly store: () => object;
}

/** Handlers that replace a step of the server's correct behavior. Steps without a handler are done correctly. */
export interface Misbehavior {
  /** Takes over the connection when the first byte has arrived, before the server reads it. */
  readonly onConnection?: (socket: Socket) => void;
  /** Handles the request after the server has read its headers. */
  readonly onHeaders?: (arrival: Arrival) => void;
  /** Handles the request after the server has read its body. Must call `store` itself if the write is to be stored. */
  readonly onBody?: (arrival: Arrival) => void;
}

export interface Ledger {
  readonly url: string;
  /** A line such as `POST /studies` for each request whose headers arrived, or `a byte` with `onConnection`. */
  readonly arrived: readonly string[];
  /** Descriptions of all writes whose bodies arrived. */
  readonly received: ReadonlySet<string>;
  /** How often each description was stored. */
  readonly stored: ReadonlyMap<string, number>;
  readonly count: (description: string) => number;
}

/**
 * Starts a Study API that stores studies in memory, shows them, and misbehaves at writes as told. At first the API holds `wholeStudy` only.
 * The server closes when the test ends.
 */
export async function startLedger(misbehavior: Misbehavior): Promise<Ledger> {
  const arrived: string[] = [];
  const received = new Set<string>();
  const stored = new Map<string, number>();
  const count = (description: string): number => stored.get(description) ?? 0;
  const studies = new Map<string, object>([[wholeStudy.id, wholeStudy]]);
  const sockets = new Set<Socket>();

  const http = createHttpServer((request, response) => {
    const { method, url = '', socket } = request;
    arrived.push(`${method} ${url}`);
    if (method === 'GET') {
      const study = studies.get(url.slice('/studies/'.length));
      response.writeHead(study ? 200 : 404, { 'content-type': 'application/json' });
      return void response.end(JSON.stringify(study ?? {}));
    }
    let body = '';
    const read = () => JSON.parse(body || '{}') as { readonly description: string };
    const arrival: Arrival = {
      socket,
      response,
      get description() {
        return read().description;
      },
      store() {
        const id = method === 'POST' ? randomUUID() : url.slice('/studies/'.length);
        const study = { ...wholeStudy, ...studies.get(id), ...read(), id };
        studies.set(id, study);
        stored.set(study.description, count(study.description) + 1);
        return study;
      },
    };
    if (misbehavior.onHeaders) return misbehavior.onHeaders(arrival);
    request.setEncoding('utf8').on('data', (text: string) => (body += text));
    request.on('end', () => {
      received.add(arrival.description);
      (misbehavior.onBody ?? answerStudy)(arrival);
    });
  });
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
    // Ignores ECONNRESET: the gateway may reset the connection.
    socket.on('error', () => {});
    const { onConnection } = misbehavior;
    if (!onConnection) return http.emit('connection', socket);
    return socket.once('readable', () => {
      arrived.push('a byte');
      onConnection(socket);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(async () => {
    server.close();
    for (const socket of sockets) socket.destroy();
    await once(server, 'close');
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    arrived,
    received,
    stored,
    count,
  };
}

/** Stores the write, and answers with the study, as a correct Study API does. */
export function answerStudy({ response, store }: Arrival): void {
  response.writeHead(200, { 'content-type': 'application/json' });
  response.end(JSON.stringify(store()));
}
