import type { Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { answerOnSocket } from './client-error.js';
import { closeGently, ignoreInput } from './close-gently.js';

interface Responses {
  /** Its request may still be arriving. */
  readonly newest: ServerResponse;
  /** Its request has arrived whole. */
  readonly before: ServerResponse | undefined;
}

/** On the socket itself: a WeakMap would cost in every collection of garbage. */
const key = Symbol('responses');

interface WatchedSocket extends Socket {
  [key]?: Responses;
}

/** Does what Node leaves open of the connections to an HTTP server. Is to be called once. */
export function watchConnections(server: Server, maxBodyBytes: number): void {
  server.prependListener('request', (request, response) => {
    const socket: WatchedSocket = request.socket;
    socket[key] = { newest: response, before: socket[key]?.newest };
  });
  // Nothing has moved for a while: nobody takes the answer, or asks anything more.
  server.on('timeout', (socket: WatchedSocket) => {
    const isAnswered = socket[key]?.newest.writableEnded;
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

/** Answers what Node's HTTP parser refuses, unless that would be read as the answer to something else. */
export function answerClientError(error: NodeJS.ErrnoException, socket: WatchedSocket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy();
  const responses = socket[key];
  if (!responses || responses.newest.writableFinished) return answerOnSocket(error.code, socket);
  const { newest, before } = responses;
  // What is at fault came after a whole request, or after its answer.
  if (newest.req.complete || newest.writableEnded) return closeAfter(newest, socket);
  if (before && !before.writableFinished) return closeAfter(before, socket);
  return answerOnSocket(error.code, socket);
}

/** Closes when the answer that is under way has been given: it may tell of a write. */
function closeAfter(response: ServerResponse, socket: Socket): void {
  ignoreInput(socket);
  socket.destroySoon = () => closeGently(socket);
  if (response.headersSent) response.once('close', () => closeGently(socket));
  else response.setHeader('connection', 'close');
}
