import type { Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { answerOnSocket } from './client-error.js';
import { closeGently, closeGentlyAfterLastAnswer, ignoreInput } from './close-gently.js';

/** The responses of a connection that are not written whole. */
interface Responses {
  /** The latest response; its request may still be arriving. */
  readonly newest?: ServerResponse | undefined;
  /** The response before `newest`; its request has arrived whole. */
  readonly before?: ServerResponse | undefined;
}

const none: Responses = {};

/** Key of a socket's responses, absent before the first request. A property, because a WeakMap adds to every GC. */
const key = Symbol('responses');

interface WatchedSocket extends Socket {
  [key]?: Responses;
}

/** Handles the cases of a connection that Node leaves to its user. Call once for each server. */
export function watchConnections(server: Server, maxBodyBytes: number): void {
  server.prependListener('request', (request, response) => {
    const socket: WatchedSocket = request.socket;
    socket[key] = { newest: response, before: socket[key]?.newest };
    response.on('finish', forget);
  });
  // No byte has moved within the timeout: the client takes no answer, or sends no further request.
  server.on('timeout', (socket: WatchedSocket) => {
    const isAnswered = socket[key] === none;
    if (isAnswered || socket.writableLength > 0) socket.destroy();
  });
  // No "100 Continue" for a body that is too long: the gateway refuses such a body.
  server.on('checkContinue', (request, response) => {
    const isTooLong = Number(request.headers['content-length']) > maxBodyBytes;
    if (!isTooLong) response.writeContinue();
    server.emit('request', request, response);
  });
  // Node would answer 417 without a body. RFC 9110 §10.1.1 allows ignoring any other expectation.
  server.on('checkExpectation', (request, response) => {
    server.emit('request', request, response);
  });
}

/** Lets a finished response go: a connection would keep its last response, and every object behind it, in memory. */
function forget(this: ServerResponse): void {
  const socket: WatchedSocket = this.req.socket;
  const { newest, before } = socket[key] ?? none;
  if (newest === this) socket[key] = none;
  else if (before === this) socket[key] = { newest };
}

/** Says if a request of the connection has arrived whole and its answer is not written whole. */
export function isUnderWay(socket: WatchedSocket): boolean {
  const { newest, before } = socket[key] ?? none;
  return before !== undefined || newest?.req.complete === true;
}

/** Answers a request that Node's HTTP parser refuses, unless the client would take the answer for that of another request. */
export function answerClientError(error: NodeJS.ErrnoException, socket: WatchedSocket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy();
  const { newest, before } = socket[key] ?? none;
  if (!newest) return answerOnSocket(error.code, socket);
  // The refused bytes came after a whole request, or after its answer.
  if (newest.req.complete || newest.writableEnded) return closeAfter(newest, socket);
  if (before) return closeAfter(before, socket);
  return answerOnSocket(error.code, socket);
}

/** Closes after the answer under way, which may report a write. */
function closeAfter(response: ServerResponse, socket: Socket): void {
  ignoreInput(socket);
  closeGentlyAfterLastAnswer(socket);
  if (response.headersSent) response.once('close', () => closeGently(socket));
  else response.setHeader('connection', 'close');
}
