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
  /** Returns the number of stored studies with this description. */
  readonly count: (description: string) => number;
}

interface StoredStudy {
  readonly description?: string;
}

/**
 * Starts a Study API that stores studies in memory, shows them, and misbehaves at writes as told. At first the API holds `wholeStudy` only.
 * The server closes when the test ends.
 */
export async function startLedger(misbehavior: Misbehavior): Promise<Ledger> {
  const arrived: string[] = [];
  const studies = new Map<string, StoredStudy>([[wholeStudy.id, wholeStudy]]);
  const sockets = new Set<Socket>();

  const http = createHttpServer((request, response) => {
    const { method, url = '', socket } = request;
    arrived.push(`${method} ${url}`);
    if (method === 'GET') {
      const study = studies.get(url.slice('/studies/'.length));
      response.writeHead(study ? 200 : 404, { 'content-type': 'application/json' });
      return void response.end(JSON.stringify(study ?? {}));
    }
    const chunks: Buffer[] = [];
    const store = (): object => {
      const id = method === 'POST' ? randomUUID() : url.slice('/studies/'.length);
      const change = JSON.parse(Buffer.concat(chunks).toString()) as StoredStudy;
      const study = { ...wholeStudy, ...studies.get(id), ...change, id };
      studies.set(id, study);
      return study;
    };
    const arrival = { socket, response, store };
    if (misbehavior.onHeaders) return misbehavior.onHeaders(arrival);
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => (misbehavior.onBody ?? answerStudy)(arrival));
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
    count: (description) =>
      [...studies.values()].filter((study) => study.description === description).length,
  };
}

/** Stores the write, and answers with the study, as a correct Study API does. */
function answerStudy({ response, store }: Arrival): void {
  response.writeHead(200, { 'content-type': 'application/json' });
  response.end(JSON.stringify(store()));
}
