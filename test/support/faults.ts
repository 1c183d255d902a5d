import { once } from 'node:events';
import type { OutgoingHttpHeaders } from 'node:http';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';
import type { Respond } from './study-api.js';

/**
 * Takes a port of 127.0.0.1 that refuses connections until the test ends, or until a server of the test listens on it. The
 * port is the local port of an open outgoing connection, so no other program can take it.
 */
export async function takeRefusingPort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  // Bound by name: Linux may give an unbound local port to a connection to this port too, which would then reach itself.
  // And Node binds the socket with SO_REUSEADDR, so that a server can listen on the port later.
  const socket = connect({ port, host: '127.0.0.1', localAddress: '127.0.0.1' });
  const [accepted] = (await Promise.all([once(server, 'connection'), once(socket, 'connect')]))[0];
  onTestFinished(async () => {
    socket.destroy();
    (accepted as Socket).destroy();
    server.close();
    await once(server, 'close');
  });
  return socket.localPort!;
}

/** Returns a base URL whose port refuses connections. */
export async function startRefusingUrl(): Promise<string> {
  return `http://127.0.0.1:${await takeRefusingPort()}`;
}

/** Answers every call with exactly these bytes as the body. */
export function answerBytes(
  body: string | Uint8Array,
  headers: OutgoingHttpHeaders = { 'content-type': 'application/json' },
  status = 200,
): Respond {
  return (response) => {
    response.writeHead(status, headers);
    response.end(body);
  };
}

/** Reads the call, and never answers it. */
export const stayAlive: Respond = () => {};

/** Reads the call, writes `head` to the socket, then ends the connection with FIN or RST, or leaves it open. */
export function cut(head: string | Uint8Array, how: 'FIN' | 'RST' | 'never'): Respond {
  return (_response, _call, { socket }) => {
    socket.write(head, () => {
      if (how === 'FIN') socket.end();
      if (how === 'RST') socket.resetAndDestroy();
    });
  };
}

/** Reads the call, writes `head`, then one space every 10 ms until the connection closes. */
export function drip(head: string): Respond {
  return (_response, _call, { socket }) => {
    socket.write(head);
    const timer = setInterval(() => socket.write(' '), 10);
    socket.once('close', () => clearInterval(timer));
  };
}

/** Returns the head of an HTTP/1.1 response as sent over the wire, followed by `body`, which may be incomplete. */
export function toHead(statusLine: string, headers: readonly string[] = [], body = ''): string {
  return [`HTTP/1.1 ${statusLine}`, ...headers, '', body].join('\r\n');
}
