import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { Socket } from 'node:net';
import { onTestFinished } from 'vitest';

/** Resolves with the gateway's socket of the next connection from a client. */
export function nextConnection({ url }: { url: string }): Promise<Socket> {
  const connection = Promise.withResolvers<Socket>();
  const listen = (message: unknown): void => {
    const { socket } = message as { socket: Socket };
    if (socket.localPort === Number(new URL(url).port)) connection.resolve(socket);
  };
  subscribe('net.server.socket', listen);
  onTestFinished(() => void unsubscribe('net.server.socket', listen));
  return connection.promise;
}
