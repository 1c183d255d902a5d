import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer as createHttpServer, type ServerResponse } from 'node:http';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';
import { wholeStudy } from './studies.js';

/** A write that has arrived, at the point where the server goes wrong. */
export interface Arrival {
  readonly socket: Socket;
  readonly response: ServerResponse;
  /** Stores the write and returns the study. Until then nothing has happened. */
  readonly store: () => object;
}

/** What a server does in place of the right thing. What is left out is done right. */
export interface Misbehavior {
  /** Takes over the connection when the first byte has arrived, and is not read. */
  readonly onConnection?: (socket: Socket) => void;
  /** Takes over when the headers have been read. */
  readonly onHeaders?: (arrival: Arrival) => void;
  /** Takes over when the body has been read. Nothing is stored unless it does. */
  readonly onBody?: (arrival: Arrival) => void;
}

export interface Ledger {
  readonly url: string;
  /** A line for each request that arrived, in whatever part. */
  readonly arrived: readonly string[];
  /** How many of the stored studies say `description`. */
  readonly count: (description: string) => number;
}

interface StoredStudy {
  readonly description?: string;
}

/**
 * A Study API that keeps its studies, and goes wrong where it is told to. It holds `wholeStudy` from the start.
 * It closes when the test ends.
 */
export async function startLedger(misbehavior: Misbehavior): Promise<Ledger> {
  const arrived: string[] = [];
  const studies = new Map<string, StoredStudy>([[wholeStudy.id, wholeStudy]]);
  const sockets = new Set<Socket>();

  const http = createHttpServer((request, response) => {
    const { method, url = '', socket } = request;
    arrived.push(`${method} ${url}`);
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
    // A connection that is reset on one side ends in an error on the other.
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

/** What a Study API in order does. */
function answerStudy({ response, store }: Arrival): void {
  response.writeHead(200, { 'content-type': 'application/json' });
  response.end(JSON.stringify(store()));
}
