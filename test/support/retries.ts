import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import { connect } from 'node:net';
import { Worker } from 'node:worker_threads';
import { onTestFinished } from 'vitest';
import { answerBytes, cut, takeRefusingPort, toHead } from './faults.js';
import { answerJson, type Respond } from './study-api.js';
import { wholeStudy } from './studies.js';

export interface LateApi {
  readonly url: string;
  /** Method and path of each received request, and its time of arrival in ms. */
  readonly arrived: readonly { readonly request: string; readonly at: number }[];
  readonly start: () => void;
  /** Makes the port refuse connections from now on. */
  readonly stop: () => void;
}

/** Creates a Study API that refuses connections until `start`. */
export async function createLateApi(
  respond: (response: ServerResponse) => void = answerStudy,
): Promise<LateApi> {
  const port = await takeRefusingPort();
  const arrived: { request: string; at: number }[] = [];
  const server = createServer((request, response) => {
    arrived.push({ request: `${request.method} ${request.url}`, at: performance.now() });
    respond(response);
  });
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  return {
    url: `http://127.0.0.1:${port}`,
    arrived,
    start: () => void server.listen(port, '127.0.0.1'),
    stop: () => void server.close(),
  };
}

function answerStudy(response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'application/json' });
  response.end(JSON.stringify(wholeStudy));
}

/** Calls `onRefusal` with the number of failures so far whenever a connection from the gateway to `url` fails. */
export function watchRefusals(url: string, onRefusal: (count: number) => void): () => number {
  let count = 0;
  const listen = (message: unknown): void => {
    const { connectParams } = message as { connectParams: { host: string } };
    if (connectParams.host !== new URL(url).host) return;
    count += 1;
    onRefusal(count);
  };
  subscribe('undici:client:connectError', listen);
  onTestFinished(() => void unsubscribe('undici:client:connectError', listen));
  return () => count;
}

export interface DeafPort {
  readonly url: string;
  /** Makes the port accept all waiting and all later connections. */
  readonly wake: () => void;
  /** Resolves with the number of bytes received over the next accepted connection, when this connection closes. */
  readonly nextConnection: () => Promise<number>;
}

/** Program of a worker that listens with an accept queue of two connections, and accepts none until notified. */
const deafProgram = `
  const { createServer } = require('node:net');
  const { parentPort, workerData } = require('node:worker_threads');
  const server = createServer((socket) => {
    let bytes = 0;
    socket.on('data', (chunk) => (bytes += chunk.length));
    socket.on('error', () => {});
    socket.on('close', () => parentPort.postMessage({ from: socket.remotePort, bytes }));
  });
  server.listen({ port: 0, host: '127.0.0.1', backlog: 1 }, () => {
    parentPort.postMessage({ port: server.address().port });
    Atomics.wait(workerData, 0, 0);
  });
`;

/** Opens a port that neither refuses nor accepts connections: Linux drops each SYN while the accept queue is full. */
export async function startDeafPort(): Promise<DeafPort> {
  const lock = new Int32Array(new SharedArrayBuffer(4));
  const worker = new Worker(deafProgram, { eval: true, workerData: lock });
  const [{ port }] = (await once(worker, 'message')) as [{ port: number }];
  const fillers = [connect(port, '127.0.0.1'), connect(port, '127.0.0.1')];
  await Promise.all(fillers.map((filler) => once(filler, 'connect')));
  onTestFinished(async () => {
    for (const filler of fillers) filler.destroy();
    await worker.terminate();
  });
  return {
    url: `http://127.0.0.1:${port}`,
    wake: () => {
      Atomics.store(lock, 0, 1);
      Atomics.notify(lock, 0);
    },
    nextConnection: async () => {
      const [{ bytes }] = (await once(worker, 'message')) as [{ bytes: number }];
      return bytes;
    },
  };
}

/** Answers each call by the next of `answers`, and all calls after the last of them by the last one. */
export function takeTurns(...answers: readonly Respond[]): Respond {
  let calls = 0;
  return (...args) => {
    const answer = answers[Math.min(calls, answers.length - 1)]!;
    calls += 1;
    answer(...args);
  };
}

export const whole = answerJson(wholeStudy);

const json = 'content-type: application/json';
const long = 'content-length: 1000';

/** Faults after which a write may have been stored, and a read is worth a retry. */
export const faults: readonly (readonly [string, Respond])[] = [
  ['a FIN in place of an answer', cut('', 'FIN')],
  ['an RST in place of an answer', cut('', 'RST')],
  ['an RST in the headers', cut('HTTP/1.1 200 OK\r\ncont', 'RST')],
  ['an RST in the body', cut(toHead('200 OK', [json, long], '{'), 'RST')],
  ['502', answerBytes('', {}, 502)],
  ['503', answerBytes('', {}, 503)],
  ['504', answerBytes('', {}, 504)],
];

/** Deadline that is too short for a retry: `RETRY_RESERVE_MS` alone uses up all of it. */
export const shortMs = 400;
