import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { expect, onTestFinished } from 'vitest';

/** Opens a TCP connection that stays half-open after the server's FIN. Destroys the connection when the test ends. */
export async function connectTo(url: string): Promise<Socket> {
  const { hostname, port } = new URL(url);
  const socket = connect({ host: hostname, port: Number(port), allowHalfOpen: true });
  onTestFinished(() => void socket.destroy());
  // Treats a reset like any other end of the connection: tests check only the bytes received before.
  socket.on('error', () => {});
  await once(socket, 'connect');
  return socket;
}

/** Returns the head of an HTTP/1.1 request as sent over the wire, followed by `rest`. */
export function toRequest(
  requestLine: string,
  headers: readonly string[] = [],
  rest: string = '',
): string {
  return [`${requestLine} HTTP/1.1`, 'host: gateway', ...headers, '', rest].join('\r\n');
}

export const json = 'content-type: application/json';

/** Returns a `POST /graphql` with the JSON text `body`, as sent over the wire. */
export function toPost(body: string, headers: readonly string[] = []): string {
  const length = `content-length: ${Buffer.byteLength(body)}`;
  return toRequest('POST /graphql', [json, length, ...headers], body);
}

export interface RawAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** The parsed JSON body; `undefined` if the response has no body. */
  readonly body: unknown;
}

/** Parses the bytes from a server into responses, including `100 Continue`. */
export function toAnswers(received: string): RawAnswer[] {
  const answers: RawAnswer[] = [];
  for (let left = received; left !== '';) {
    const headEnd = left.indexOf('\r\n\r\n');
    if (headEnd === -1) throw new Error(`not an answer: ${left}`);
    const [statusLine = '', ...lines] = left.slice(0, headEnd).split('\r\n');
    const headers = Object.fromEntries(
      lines.map((line) => {
        const colon = line.indexOf(':');
        return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
      }),
    );
    const bodyEnd = headEnd + 4 + Number(headers['content-length'] ?? 0);
    const body = left.slice(headEnd + 4, bodyEnd);
    answers.push({
      status: Number(statusLine.split(' ')[1]),
      headers,
      body: body === '' ? undefined : JSON.parse(body),
    });
    left = left.slice(bodyEnd);
  }
  return answers;
}

/** Resolves when the server has ended its side of the connection, by FIN or by RST. */
export function ended(socket: Socket): Promise<void> {
  return new Promise((resolve) => {
    if (socket.readableEnded || socket.closed) resolve();
    socket.once('end', () => resolve()).once('close', () => resolve());
  });
}

/** Returns all bytes that the server sends until it ends its side of the connection; each character is one byte. */
export async function readToEnd(socket: Socket): Promise<string> {
  let received = '';
  socket.setEncoding('latin1').on('data', (text: string) => (received += text));
  await ended(socket);
  return received;
}

/** Sends `bytes`, each character as one byte, and returns all responses until the server closes the connection. */
export async function exchange(url: string, bytes: string): Promise<RawAnswer[]> {
  const socket = await connectTo(url);
  socket.write(bytes, 'latin1');
  return toAnswers(await readToEnd(socket));
}

/** Returns the next chunk that the server sends, as text. */
export async function readSome(socket: Socket): Promise<string> {
  const [chunk] = await once(socket, 'data');
  return String(chunk);
}

/** Returns the expected body of a refused request; `requestId` must equal the `x-request-id` header. */
export function refusal(
  message: unknown = expect.any(String),
  requestId: unknown = expect.any(String),
) {
  const extensions = { code: 'BAD_REQUEST', outcome: 'NOT_SENT', retryable: false, requestId };
  return { errors: [{ message, extensions }] };
}
