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

/** What Node leaves open of the connections to an HTTP server. */
export class Connections {
  readonly #responses = new WeakMap<Socket, Responses>();

  /** Is to be called once. */
  watch(server: Server, maxBodyBytes: number): void {
    server.prependListener('request', (request, response) => {
      const before = this.#responses.get(request.socket)?.newest;
      this.#responses.set(request.socket, { newest: response, before });
    });
    // Nothing has moved for a while: nobody takes the answer, or asks anything more.
    server.on('timeout', (socket) => {
      const isAnswered = this.#responses.get(socket)?.newest.writableEnded;
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
  answerClientError(error: NodeJS.ErrnoException, socket: Socket): void {
    if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy();
    const responses = this.#responses.get(socket);
    if (!responses || responses.newest.writableFinished) return answerOnSocket(error.code, socket);
    const { newest, before } = responses;
    // What is at fault came after a whole request, or after its answer.
    if (newest.req.complete || newest.writableEnded) return closeAfter(newest, socket);
    if (before && !before.writableFinished) return closeAfter(before, socket);
    return answerOnSocket(error.code, socket);
  }
}

/** Closes when the answer that is under way has been given: it may tell of a write. */
function closeAfter(response: ServerResponse, socket: Socket): void {
  ignoreInput(socket);
  socket.destroySoon = () => closeGently(socket);
  if (response.headersSent) response.once('close', () => closeGently(socket));
  else response.setHeader('connection', 'close');
}
