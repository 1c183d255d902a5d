import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { isUnderWay } from './connections.js';

/**
 * Returns a function that counts requests that have arrived whole and have no whole answer yet.
 * Call before the server listens.
 */
export function watchUnderWay(server: Server): () => number {
  const sockets = new Set<Socket>();
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  return () => [...sockets].filter(isUnderWay).length;
}
