import type { Socket } from 'node:net';
import { closeGently } from './close-gently.js';
import { toErrorBody } from '../../errors/error-body.js';
import { dataHeaders } from '../security-headers.js';

/** Status and message by the `code` of Node's error. Every code that is not listed becomes 400. */
const refusals: ReadonlyMap<string | undefined, readonly [status: string, message: string]> =
  new Map([
    ['HPE_HEADER_OVERFLOW', ['431 Request Header Fields Too Large', 'The headers are too long.']],
    ['ERR_HTTP_REQUEST_TIMEOUT', ['408 Request Timeout', 'The request took too long to arrive.']],
  ]);

/** Answers directly on the socket, because there is no parsed request to answer, and closes the socket. */
export function answerOnSocket(code: string | undefined, socket: Socket): void {
  const [status, message] = refusals.get(code) ?? [
    '400 Bad Request',
    'The request is not well-formed HTTP.',
  ];
  const body = JSON.stringify(toErrorBody(message, 'BAD_REQUEST'));
  const headers = {
    ...dataHeaders,
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(body),
    connection: 'close',
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  socket.write([`HTTP/1.1 ${status}`, ...lines, '', body].join('\r\n'));
  closeGently(socket);
}
