import type { Socket } from 'node:net';

/** Longest time for a client to read the answer, stop sending, and close. */
const LINGER_MS = 2_000;
/** Most bytes of further input that are read and thrown away; later bytes are left unread. */
const LINGER_BYTES = 1_048_576;

/** Throws away what a client sends from here on. No further request is read from this connection. */
export function ignoreInput(socket: Socket): void {
  let leftBytes = LINGER_BYTES;
  // Node's HTTP parser has no other hold on the connection.
  socket.removeAllListeners('data');
  socket.on('data', ({ length }: Buffer) => {
    leftBytes -= length;
    if (leftBytes <= 0) socket.pause();
  });
  socket.resume();
}

/**
 * Closes a connection on which the client may still be sending. Closing a socket with unread bytes resets the connection,
 * and a reset can overtake the answer: the client who most needs the answer would lose it.
 */
export function closeGently(socket: Socket): void {
  const timer = setTimeout(() => socket.destroy(), LINGER_MS);
  socket.once('close', () => clearTimeout(timer));
  ignoreInput(socket);
  socket.end();
}

/** Closes a connection gently when its last answer is written, which is when Node calls `destroySoon`. */
export function closeGentlyAfterLastAnswer(socket: Socket): void {
  socket.destroySoon = () => closeGently(socket);
}
