import type { Duplex } from 'node:stream';
import { toErrorBody } from './error-body.js';

/** By Node's `code` of the error; anything else is 400. */
const refusals: ReadonlyMap<string | undefined, readonly [status: string, message: string]> =
  new Map([
    ['HPE_HEADER_OVERFLOW', ['431 Request Header Fields Too Large', 'The headers are too long.']],
    ['ERR_HTTP_REQUEST_TIMEOUT', ['408 Request Timeout', 'The request took too long to arrive.']],
  ]);

/** Answers what Node's HTTP parser refuses: there is no request yet, only a socket. */
export function answerClientError(error: NodeJS.ErrnoException, socket: Duplex): void {
  // Gone already, or in the middle of an answer that a second one would garble.
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy();
  const [status, message] = refusals.get(error.code) ?? [
    '400 Bad Request',
    'The request is not well-formed HTTP.',
  ];
  const body = JSON.stringify(toErrorBody(message, 'BAD_REQUEST'));
  socket.end(
    `HTTP/1.1 ${status}\r\ncontent-type: application/json; charset=utf-8\r\n` +
      `content-length: ${Buffer.byteLength(body)}\r\nconnection: close\r\n\r\n${body}`,
    () => socket.destroy(),
  );
}
