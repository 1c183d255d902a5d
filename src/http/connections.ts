import { randomUUID } from 'node:crypto';
import type { RequestListener, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Logger } from 'pino';
import { toErrorBody, unexpectedErrorBody } from '../errors/error-body.js';
import type { LogRefusal } from './refusal-log.js';
import { dataHeaders } from './headers.js';
import { closeGently, closeGentlyAfterLastAnswer, ignoreInput } from './close-gently.js';

/**
 * Key of the socket's property with the response under way: absent before the first request, `null` between requests. A
 * WeakMap would slow every GC.
 */
const key = Symbol('response');

/** Minimum time between two log lines, in ms: clients must not be able to fill the log. */
const REPORT_MS = 60_000;

/** Status and message by the `code` of Node's error. Every code that is not listed becomes 400. */
const refusals: ReadonlyMap<string | undefined, readonly [status: string, message: string]> =
  new Map([
    ['HPE_HEADER_OVERFLOW', ['431 Request Header Fields Too Large', 'The headers are too long.']],
    ['ERR_HTTP_REQUEST_TIMEOUT', ['408 Request Timeout', 'The request took too long to arrive.']],
  ]);

const malformed = ['400 Bad Request', 'The request is not well-formed HTTP.'] as const;

interface WatchedSocket extends Socket {
  [key]?: ServerResponse | null;
}

/**
 * Serves one request of a connection at a time, and handles timeouts and `Expect` headers. Node would serve pipelined
 * requests together: if the first answer closed the connection, the others would have run without an answer. So a
 * pipelined request is not served, and the connection closes after the answer before it (RFC 9112 §9.3.2).
 * Call once for each server, after the server has got its listener to `request`.
 */
export function watchConnections(server: Server, maxBodyBytes: number): void {
  const serve = takeRequestListener(server);
  server.on('request', (request, response) => {
    const socket: WatchedSocket = request.socket;
    // An answer has closed the connection, and the client may still be reading that answer.
    if (!socket.writable) return;
    if (isPipelined(response)) return closeAfter(socket[key], socket);
    socket[key] = response;
    response.on('finish', forget);
    serve(request, response);
  });

  // Fires when no byte was sent or received within the timeout. Closes a connection that is idle, or whose client does
  // not read its answer; a request that waits for the Study API keeps its connection.
  server.on('timeout', (socket: WatchedSocket) => {
    if (socket[key] === null || socket.writableLength > 0) socket.destroy();
  });
  // Sends no "100 Continue" for a request that the gateway refuses: a pipelined one, or one whose body is too long.
  server.on('checkContinue', (request, response) => {
    const isTooLong = Number(request.headers['content-length']) > maxBodyBytes;
    if (!isTooLong && !isPipelined(response)) response.writeContinue();
    server.emit('request', request, response);
  });
  // Node would answer 417 without a body. RFC 9110 §10.1.1 allows ignoring any other expectation.
  server.on('checkExpectation', (request, response) => {
    server.emit('request', request, response);
  });
}

/** Removes the server's only listener to `request`, and returns the listener. */
function takeRequestListener(server: Server): RequestListener {
  const [listener, ...others] = server.listeners('request');
  if (!listener || others.length > 0) throw new Error('The server must have one request listener.');
  server.removeAllListeners('request');
  return listener;
}

/** Returns true if the answer before `response` has not ended: Node gives the socket to one response at a time. */
function isPipelined(response: ServerResponse): boolean {
  return response.socket === null;
}

/** Drops the reference to a finished response: an idle connection would keep the whole object graph in memory. */
function forget(this: ServerResponse): void {
  const socket: WatchedSocket = this.req.socket;
  socket[key] = null;
}

/**
 * Answers a request that Node's HTTP parser refuses. While an earlier request waits for its answer, closes after that
 * answer instead: the client would take the refusal for the answer to the earlier request.
 */
export function answerClientError(
  error: NodeJS.ErrnoException,
  socket: WatchedSocket,
  logRefusal: LogRefusal,
): void {
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy();
  const response = socket[key];
  // The refused bytes are part of the request whose response is under way, or follow that request or its answer.
  const last = response?.req.complete || response?.writableEnded ? response : undefined;
  const [status, message] = refusals.get(error.code) ?? malformed;
  const requestId = last ? undefined : randomUUID();
  logRefusal(Number.parseInt(status, 10), message, requestId);
  if (last) return closeAfter(last, socket);
  // Answers directly on the socket, because there is no parsed request to answer.
  const body = JSON.stringify(toErrorBody(message, 'BAD_REQUEST', requestId));
  writeAnswer(status, body, socket, requestId);
  closeGently(socket);
}

/** Answers on the socket that the outcome is unknown: the gateway ends before the operation has its answer. */
export function answerUnknown(socket: Socket): void {
  writeAnswer('503 Service Unavailable', unexpectedErrorBody(), socket);
}

function writeAnswer(status: string, body: string, socket: Socket, requestId?: string): void {
  const headers = {
    ...dataHeaders,
    ...(requestId !== undefined && { 'x-request-id': requestId }),
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(body),
    connection: 'close',
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  socket.write([`HTTP/1.1 ${status}`, ...lines, '', body].join('\r\n'));
}

/** Closes the connection after `response`, which may report the outcome of a write; `undefined` closes by itself. */
function closeAfter(response: ServerResponse | null | undefined, socket: Socket): void {
  ignoreInput(socket);
  closeGentlyAfterLastAnswer(socket);
  if (response?.headersSent) response.once('close', () => closeGently(socket));
  else response?.setHeader('connection', 'close');
}

/** Returns functions over the connections of a server. Call before the server listens. */
export function watchSockets(server: Server) {
  const sockets = new Set<Socket>();
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  return {
    /** Returns the connections with a request under way. */
    findUnderWay: (): Socket[] => [...sockets].filter(isUnderWay),
    /** Closes the connections that have sent nothing. Node 22 does not count them as idle, and would wait for them. */
    closeSilent: (): void => {
      for (const socket of sockets) if (socket.bytesRead === 0) socket.destroy();
    },
  };
}

/** Returns whether the connection has a request that has arrived completely but is not completely answered. */
function isUnderWay(socket: WatchedSocket): boolean {
  return socket[key]?.req.complete === true;
}

/** Logs, at most once a minute, how many connections were closed at once because `maxConnections` were open. */
export function reportRefusedConnections(server: Server, logger: Pick<Logger, 'warn'>): void {
  let refused = 0;
  let reportedAt = -Infinity;
  server.on('drop', () => {
    refused += 1;
    const now = performance.now();
    if (now - reportedAt < REPORT_MS) return;
    const details = { connections: refused, maxConnections: server.maxConnections };
    logger.warn(details, 'connections are refused: MAX_CONNECTIONS are open');
    refused = 0;
    reportedAt = now;
  });
}
