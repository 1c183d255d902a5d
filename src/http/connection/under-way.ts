import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { isUnderWay } from './connections.js';

/**
 * Returns a function that finds the connections with a request that has arrived completely but is not completely answered.
 * Call before the server listens: connections opened earlier are not counted.
 */
export function watchUnderWay(server: Server): () => Socket[] {
  const sockets = new Set<Socket>();
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  return () => [...sockets].filter(isUnderWay);
}
