import type { Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { answerOnSocket } from './client-error.js';
import { closeGently, closeGentlyAfterLastAnswer, ignoreInput } from './close-gently.js';

/** Those of a connection that have not been written whole. */
interface Responses {
  /** Its request may still be arriving. */
  readonly newest?: ServerResponse | undefined;
  /** Its request has arrived whole. */
  readonly before?: ServerResponse | undefined;
}

const none: Responses = {};

/** On the socket itself: a WeakMap would cost in every collection of garbage. Not there before the first request. */
const key = Symbol('responses');

interface WatchedSocket extends Socket {
  [key]?: Responses;
}

/** Does what Node leaves open of the connections to an HTTP server. Is to be called once. */
export function watchConnections(server: Server, maxBodyBytes: number): void {
  server.prependListener('request', (request, response) => {
    const socket: WatchedSocket = request.socket;
    socket[key] = { newest: response, before: socket[key]?.newest };
    response.on('finish', forget);
  });
  // Nothing has moved for a while: nobody takes the answer, or asks anything more.
  server.on('timeout', (socket: WatchedSocket) => {
    const isAnswered = socket[key] === none;
    if (isAnswered || socket.writableLength > 0) socket.destroy();
  });
  // "100 Continue" would invite a body that is to be refused for its length.
  server.on('checkContinue', (request, response) => {
    const isTooLong = Number(request.headers['content-length']) > maxBodyBytes;
    if (!isTooLong) response.writeContinue();
    server.emit('request', request, response);
  });
  // Node would answer 417 without a body. What else a client expects may be ignored (RFC 9110 §10.1.1).
  server.on('checkExpectation', (request, response) => {
    server.emit('request', request, response);
  });
}

/** Otherwise each connection would keep the last of its answers, and all that it was made of. */
function forget(this: ServerResponse): void {
  const socket: WatchedSocket = this.req.socket;
  const { newest, before } = socket[key] ?? none;
  if (newest === this) socket[key] = none;
  else if (before === this) socket[key] = { newest };
}

/** Whether a request of the connection has arrived whole, and its answer has not been written whole. */
export function isUnderWay(socket: WatchedSocket): boolean {
  const { newest, before } = socket[key] ?? none;
  return before !== undefined || newest?.req.complete === true;
}

/** Answers what Node's HTTP parser refuses, unless that would be read as the answer to something else. */
export function answerClientError(error: NodeJS.ErrnoException, socket: WatchedSocket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy();
  const { newest, before } = socket[key] ?? none;
  if (!newest) return answerOnSocket(error.code, socket);
  // What is at fault came after a whole request, or after its answer.
  if (newest.req.complete || newest.writableEnded) return closeAfter(newest, socket);
  if (before) return closeAfter(before, socket);
  return answerOnSocket(error.code, socket);
}

/** Closes when the answer that is under way has been given: it may tell of a write. */
function closeAfter(response: ServerResponse, socket: Socket): void {
  ignoreInput(socket);
  closeGentlyAfterLastAnswer(socket);
  if (response.headersSent) response.once('close', () => closeGently(socket));
  else response.setHeader('connection', 'close');
}
