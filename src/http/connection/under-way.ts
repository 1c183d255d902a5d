import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { isUnderWay } from './connections.js';

/**
 * Returns a function that counts the requests that have arrived completely but are not completely answered.
 * Call before the server listens: connections opened earlier are not counted.
 */
export function watchUnderWay(server: Server): () => number {
  const sockets = new Set<Socket>();
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  return () => [...sockets].filter(isUnderWay).length;
}
