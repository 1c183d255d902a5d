import type { Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { answerOnSocket } from './client-error.js';
import { closeGently, closeGentlyAfterLastAnswer, ignoreInput } from './close-gently.js';

/** The responses of a connection that are not completely written. */
interface Responses {
  /** The latest response; its request may still be arriving. */
  readonly newest?: ServerResponse | undefined;
  /** The response before `newest`; its request has arrived completely. */
  readonly before?: ServerResponse | undefined;
}

const none: Responses = {};

/** Key of the socket's property with its responses, absent before the first request. A WeakMap would slow every GC. */
const key = Symbol('responses');

interface WatchedSocket extends Socket {
  [key]?: Responses;
}

/** Tracks the responses of each connection, and handles timeouts and `Expect` headers. Call once for each server. */
export function watchConnections(server: Server, maxBodyBytes: number): void {
  server.prependListener('request', (request, response) => {
    const socket: WatchedSocket = request.socket;
    socket[key] = { newest: response, before: socket[key]?.newest };
    response.on('finish', forget);
  });
  // Fires when no byte was sent or received within the timeout. Closes a connection that is idle, or whose client does
  // not read its answer; a request that waits for the Study API keeps its connection.
  server.on('timeout', (socket: WatchedSocket) => {
    const isAnswered = socket[key] === none;
    if (isAnswered || socket.writableLength > 0) socket.destroy();
  });
  // Sends no "100 Continue" for a body that is too long: the gateway refuses such a body.
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

/** Drops the reference to a finished response: an idle connection would keep the whole object graph in memory. */
function forget(this: ServerResponse): void {
  const socket: WatchedSocket = this.req.socket;
  const { newest, before } = socket[key] ?? none;
  if (newest === this) socket[key] = none;
  else if (before === this) socket[key] = { newest };
}

/** Returns whether the connection has a request that has arrived completely but is not completely answered. */
export function isUnderWay(socket: WatchedSocket): boolean {
  const { newest, before } = socket[key] ?? none;
  return before !== undefined || newest?.req.complete === true;
}

/**
 * Answers a request that Node's HTTP parser refuses. While an earlier request waits for its answer, closes after that
 * answer instead: the client would take the refusal for the answer to the earlier request.
 */
export function answerClientError(error: NodeJS.ErrnoException, socket: WatchedSocket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy();
  const { newest, before } = socket[key] ?? none;
  if (!newest) return answerOnSocket(error.code, socket);
  // The refused bytes follow the complete newest request, or its answer.
  if (newest.req.complete || newest.writableEnded) return closeAfter(newest, socket);
  if (before) return closeAfter(before, socket);
  return answerOnSocket(error.code, socket);
}

/** Closes the connection after `response`, which may report the outcome of a write. */
function closeAfter(response: ServerResponse, socket: Socket): void {
  ignoreInput(socket);
  closeGentlyAfterLastAnswer(socket);
  if (response.headersSent) response.once('close', () => closeGently(socket));
  else response.setHeader('connection', 'close');
}
