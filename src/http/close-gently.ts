import type { Socket } from 'node:net';

/** Time in ms that a client gets to read the answer, stop sending and close. */
const LINGER_MS = 2_000;
/** Maximum number of further input bytes that are read and discarded; later bytes stay unread. */
const LINGER_BYTES = 1_048_576;

/** Discards everything that a client sends from now on: no further request on this connection is read. */
export function ignoreInput(socket: Socket): void {
  let leftBytes = LINGER_BYTES;
  // Detaches Node's HTTP parser from the connection.
  socket.removeAllListeners('data');
  socket.on('data', ({ length }: Buffer) => {
    leftBytes -= length;
    if (leftBytes <= 0) socket.pause();
  });
  socket.resume();
}

/**
 * Closes a connection on which the client may still be sending. Closing a socket with unread bytes would reset the
 * connection, and the client may then lose an answer that it has not read yet.
 */
export function closeGently(socket: Socket): void {
  const timer = setTimeout(() => socket.destroy(), LINGER_MS);
  socket.once('close', () => clearTimeout(timer));
  ignoreInput(socket);
  socket.end();
}

/** Makes the connection close gently after its last answer: Node calls `destroySoon` once that answer is written. */
export function closeGentlyAfterLastAnswer(socket: Socket): void {
  socket.destroySoon = () => closeGently(socket);
}
