import { once } from 'node:events';
import type { OutgoingHttpHeaders } from 'node:http';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';
import type { Respond } from './study-api.js';

/**
 * A base URL that refuses connections. Its port is the near end of an outgoing connection, so nobody listens
 * there, and unlike a port that was just closed it goes to no other server while the test runs.
 */
export async function startRefusingUrl(): Promise<string> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  const [accepted] = (await Promise.all([once(server, 'connection'), once(socket, 'connect')]))[0];
  onTestFinished(async () => {
    socket.destroy();
    (accepted as Socket).destroy();
    server.close();
    await once(server, 'close');
  });
  return `http://127.0.0.1:${socket.localPort}`;
}

/** Answers with `body` byte for byte. */
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

/** Reads the call and says nothing. */
export const stayAlive: Respond = () => {};

/** Reads the call, writes `head` on the bare connection, and ends it with FIN or RST or not at all. */
export function cut(head: string, how: 'FIN' | 'RST' | 'never'): Respond {
  return (_response, _call, { socket }) => {
    socket.write(head, () => {
      if (how === 'FIN') socket.end();
      if (how === 'RST') socket.resetAndDestroy();
    });
  };
}

/** Writes `head` and then a byte of JSON now and then, without end. */
export function drip(head: string): Respond {
  return (_response, _call, { socket }) => {
    socket.write(head);
    const timer = setInterval(() => socket.write(' '), 10);
    socket.once('close', () => clearInterval(timer));
  };
}

/** Writes spaces as fast as they are taken, without end. `onClose` hears how many bytes were taken. */
export function flood(onClose: (bytes: number) => void): Respond {
  const chunk = Buffer.alloc(256 * 1024, ' ');
  return (response, _call, { socket }) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    const pour = (): void => {
      while (!socket.destroyed && response.write(chunk));
    };
    response.on('drain', pour);
    socket.once('close', () => onClose(socket.bytesWritten));
    pour();
  };
}

/** The head of an answer as it goes over the wire, and of its body, if any, the first bytes. */
export function toHead(statusLine: string, headers: readonly string[] = [], body = ''): string {
  return [`HTTP/1.1 ${statusLine}`, ...headers, '', body].join('\r\n');
}
