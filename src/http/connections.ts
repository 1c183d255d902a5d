import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { Refusal } from '../errors/refusal.js';
import type { LogRefusal } from './refusals.js';

/** Time in ms that a client gets to read the answer, stop sending and close. */
const LINGER_MS = 2_000;
/** Maximum number of further input bytes that are read and discarded; later bytes stay unread. */
const LINGER_BYTES = 1_048_576;

/** Status by the `code` of Node's error; 400 for every other code. */
const statuses: Readonly<Record<string, string>> = {
  HPE_HEADER_OVERFLOW: '431 Request Header Fields Too Large',
  ERR_HTTP_REQUEST_TIMEOUT: '408 Request Timeout',
};

/** The connections of a server, on each of which one request is served at a time. */
export class Connections {
  readonly #sockets = new Set<Socket>();
  /** The responses under way. */
  readonly #responses = new Map<Socket, ServerResponse>();

  constructor(private readonly logRefusal: LogRefusal) {}

  /** Call before all other hooks are added. */
  addTo(app: FastifyInstance): void {
    const { server } = app;
    server.on('connection', (socket) => {
      this.#sockets.add(socket);
      socket.once('close', () => this.#sockets.delete(socket));
      // Node calls it after the last answer.
      socket.destroySoon = () => closeGently(socket);
    });
    // Node would serve pipelined requests together: if the first answer closed the connection, the others would have run
    // without an answer. So none is served, and the connection closes after the answer before (RFC 9112 §9.3.2).
    app.addHook('onRequest', ({ socket }, reply, done) => {
      const { raw } = reply;
      // Node gives the socket to one response at a time.
      const isPipelined = raw.socket === null;
      if (isPipelined || !socket.writable) {
        reply.hijack();
        return this.#closeAfterAnswer(socket);
      }
      this.#responses.set(socket, raw);
      raw.once('close', () => this.#responses.delete(socket));
      return done();
    });
  }

  /** Counts the requests that have arrived completely, but are not completely answered. */
  countRequests(): number {
    return [...this.#responses.values()].filter(({ req }) => req.complete).length;
  }

  /** Closes the connections that have sent nothing. Node 22 does not count them as idle, and would wait for them. */
  closeSilent(): void {
    for (const socket of this.#sockets) if (socket.bytesRead === 0) socket.destroy();
  }

  /**
   * Answers bytes that Node's HTTP parser refuses, as Node does. While an earlier request waits for its answer, closes after
   * that answer instead: the client would take the refusal for the answer to the earlier request.
   */
  refuse(error: NodeJS.ErrnoException, socket: Socket): void {
    if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy();
    const status = statuses[error.code ?? ''] ?? '400 Bad Request';
    const response = this.#responses.get(socket);
    // The refused bytes are part of the request whose response is under way, or follow that request or its answer.
    const isOther = response?.req.complete || response?.writableEnded;
    this.logRefusal(Number.parseInt(status, 10), status);
    if (isOther) return this.#closeAfterAnswer(socket);
    socket.write(`HTTP/1.1 ${status}\r\nconnection: close\r\n\r\n`);
    closeGently(socket);
  }

  /** Reads no further request. The answer under way may report the outcome of a write. */
  #closeAfterAnswer(socket: Socket): void {
    const response = this.#responses.get(socket);
    ignoreInput(socket);
    if (response?.headersSent) response.once('close', () => closeGently(socket));
    else response?.setHeader('connection', 'close');
  }
}

/**
 * Closes a connection on which the client may still be sending. Closing a socket with unread bytes would reset the
 * connection, and the client may then lose an answer that it has not read yet.
 */
function closeGently(socket: Socket): void {
  const timer = setTimeout(() => socket.destroy(), LINGER_MS);
  socket.once('close', () => clearTimeout(timer));
  ignoreInput(socket);
  socket.end();
}

/** Discards everything that a client sends from now on. */
function ignoreInput(socket: Socket): void {
  let leftBytes = LINGER_BYTES;
  // Detaches Node's HTTP parser from the connection.
  socket.removeAllListeners('data');
  socket.on('data', ({ length }: Buffer) => {
    leftBytes -= length;
    if (leftBytes <= 0) socket.pause();
  });
  socket.resume();
  // The parser may have stopped to read until the body before is taken, and starts no more: nobody would see the client's end.
  socket._read(0);
}

const AMBIGUOUS =
  'The request is not well-formed: two Host headers, or an unsupported HTTP version or transfer coding.';

/**
 * Answers 400, and closes the connection, if a proxy could interpret the request differently from the gateway: with two
 * `Host` headers, or with an unsupported HTTP version or transfer coding. Node itself refuses a request without `Host`, and
 * one with an unknown `Expect`, without a body. Also closes the connection after the answer to HTTP/1.0, whose clients may
 * not know `keep-alive`, and to `Upgrade`, because Node's parser loses bytes that follow such a request.
 */
export function addRequestChecks(app: FastifyInstance): void {
  app.addHook('onRequest', ({ raw }, reply, done) => {
    const { httpVersion, headers } = raw;
    const isCurrent = httpVersion === '1.1';
    const codings = headers['transfer-encoding']?.toLowerCase();
    // Node accepts any list of codings that ends in "chunked", and decodes only "chunked". HTTP/1.0 knows no coding
    // (RFC 9112 §6.1), and HTTP/0.9 no headers. Node refuses every other version.
    const isDecoded = codings === undefined || (isCurrent && codings === 'chunked');
    // Node joins two lines by a comma, as a proxy may.
    const isProper = isDecoded && httpVersion !== '0.9' && !headers.host?.includes(',');
    if (!isProper || !isCurrent || headers.upgrade !== undefined)
      void reply.header('connection', 'close');
    done(isProper ? undefined : new Refusal('BAD_REQUEST', AMBIGUOUS));
  });
}
