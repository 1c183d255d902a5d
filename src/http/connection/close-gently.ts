import type { Socket } from 'node:net';

/** How long a client has to read the answer, to stop sending, and to close. */
const LINGER_MS = 2_000;
/** So much of what it still sends is thrown away; more than that is left unread. */
const LINGER_BYTES = 1_048_576;

/** Throws away what a client sends from here on. No request comes from this connection any more. */
export function ignoreInput(socket: Socket): void {
  let left = LINGER_BYTES;
  // Node's HTTP parser has no other hold on the connection.
  socket.removeAllListeners('data');
  socket.on('data', ({ length }: Buffer) => {
    left -= length;
    if (left <= 0) socket.pause();
  });
  socket.resume();
}

/**
 * Closes a connection on which the client may still be sending. One that is closed with bytes unread is
 * reset, and a reset can overtake the answer: it would be lost on the client who most needs to read it.
 */
export function closeGently(socket: Socket): void {
  const timer = setTimeout(() => socket.destroy(), LINGER_MS);
  socket.once('close', () => clearTimeout(timer));
  ignoreInput(socket);
  socket.end();
}
