import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { expect, onTestFinished } from 'vitest';

/** A bare connection to a server, which goes when the test ends. Half of it stays open when the server ends. */
export async function connectTo(url: string): Promise<Socket> {
  const { hostname, port } = new URL(url);
  const socket = connect({ host: hostname, port: Number(port), allowHalfOpen: true });
  onTestFinished(() => void socket.destroy());
  // A reset is an end like any other: what counts is what came before it.
  socket.on('error', () => {});
  await once(socket, 'connect');
  return socket;
}

/** The head of a request as it goes over the wire, and what may follow it. */
export function toRequest(
  requestLine: string,
  headers: readonly string[] = [],
  rest: string = '',
): string {
  return [`${requestLine} HTTP/1.1`, 'host: gateway', ...headers, '', rest].join('\r\n');
}

export const json = 'content-type: application/json';

/** `POST /graphql` of JSON. */
export function toPost(body: string, headers: readonly string[] = []): string {
  const length = `content-length: ${Buffer.byteLength(body)}`;
  return toRequest('POST /graphql', [json, length, ...headers], body);
}

export interface RawAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** Parsed JSON; `undefined` when there is none. */
  readonly body: unknown;
}

/** The answers in what a server sent, those of `100 Continue` among them. */
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

/** Resolves when the server has ended its side, in whatever way. */
export function ended(socket: Socket): Promise<void> {
  return new Promise((resolve) => {
    if (socket.readableEnded || socket.closed) resolve();
    socket.once('end', () => resolve()).once('close', () => resolve());
  });
}

/** All that the server sends until it ends its side. */
export async function readToEnd(socket: Socket): Promise<string> {
  let received = '';
  socket.setEncoding('latin1').on('data', (text: string) => (received += text));
  await ended(socket);
  return received;
}

/** The answers to `bytes`, each character one, when the server closes after them. */
export async function exchange(url: string, bytes: string): Promise<RawAnswer[]> {
  const socket = await connectTo(url);
  socket.write(bytes, 'latin1');
  return toAnswers(await readToEnd(socket));
}

/** The next bytes that the server sends, as text. */
export async function readSome(socket: Socket): Promise<string> {
  const [chunk] = await once(socket, 'data');
  return String(chunk);
}

/** The body of an answer that refuses a request; `requestId` is its `x-request-id`. */
export function refusal(
  message: unknown = expect.any(String),
  requestId: unknown = expect.any(String),
) {
  const extensions = { code: 'BAD_REQUEST', outcome: 'NOT_SENT', retryable: false, requestId };
  return { errors: [{ message, extensions }] };
}

/** The same, where there was no request yet that could have an id. */
export function refusalWithoutId(message: unknown = expect.any(String)) {
  const extensions = { code: 'BAD_REQUEST', outcome: 'NOT_SENT', retryable: false };
  return { errors: [{ message, extensions }] };
}
