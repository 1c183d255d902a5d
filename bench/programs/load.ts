// The load generator, a process of its own that is controlled by messages. Each connection sends its next request as
// soon as the answer has arrived. The HTTP client is minimal, to take little CPU.
import { randomUUID } from 'node:crypto';
import { connect, type Socket } from 'node:net';
import { Answers } from '../lib/answers.ts';
import { UNIQUE, type LoadOrder, type LoadReport } from '../lib/load.ts';

/** Timeout for the answers under way at the end of a round, in ms. */
const GRACE_MS = 20_000;

process.on('message', (order: LoadOrder | 'go') => {
  if (order === 'go') go?.();
  else void run(order);
});
process.on('disconnect', () => process.exit());

let go: (() => void) | undefined;

async function run(order: LoadOrder): Promise<void> {
  const { hostname, port, pathname } = new URL(order.url);
  const authorization = order.token === null ? '' : `authorization: Bearer ${order.token}\r\n`;
  const head =
    `POST ${pathname} HTTP/1.1\r\nhost: ${hostname}:${port}\r\n${authorization}` +
    'content-type: application/json\r\naccept: application/json\r\n';
  const requests = order.bodies.map((body) =>
    Buffer.from(`${head}content-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`),
  );
  const expected = order.expected === undefined ? undefined : Buffer.from(order.expected);

  const sockets = await Promise.all(
    Array.from({ length: order.connections }, () => open(Number(port), hostname)),
  );
  const started = new Promise<void>((resolve) => (go = resolve));
  process.send!('ready');
  await started;

  const latencies: number[] = [];
  const failures: string[] = [];
  const end = performance.now() + order.ms;
  let turn = 0;
  const ask = (socket: Socket): Promise<void> =>
    new Promise((resolve) => {
      let sentAt = 0;
      const next = (): void => {
        sentAt = performance.now();
        if (sentAt > end) return resolve();
        socket.write(toUnique(requests[turn++ % requests.length]!));
      };
      const answers = new Answers((status, body) => {
        if (status === order.status && (!expected || body.equals(expected)))
          latencies.push(performance.now() - sentAt);
        else failures.push(`${status} ${body.toString('utf8', 0, 300)}`);
        next();
      });
      socket.on('data', (chunk: Buffer) => answers.add(chunk));
      socket.once('close', () => {
        failures.push('a connection was closed');
        resolve();
      });
      setTimeout(() => socket.destroy(), order.ms + GRACE_MS).unref();
      next();
    });
  await Promise.all(sockets.map(ask));

  for (const socket of sockets) socket.removeAllListeners('close').destroy();
  process.send!(toReport(latencies, failures));
}

/** Number of unique ids so far. */
let uniques = 0;
/** First part of all unique ids of this process. */
const prefix = randomUUID().slice(0, -12);

/** Replaces the placeholder `UNIQUE`, if the request has it. */
function toUnique(request: Buffer): Buffer {
  const at = request.indexOf(UNIQUE);
  if (at === -1) return request;
  const copy = Buffer.from(request);
  copy.write(prefix + String(uniques++).padStart(12, '0'), at, 'latin1');
  return copy;
}

function open(port: number, host: string): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host, noDelay: true }, () => resolve(socket));
    socket.on('error', reject);
  });
}

function toReport(latencies: number[], failures: string[]): LoadReport {
  const sorted = Float64Array.from(latencies).toSorted();
  return {
    requests: sorted.length,
    p99Ms: sorted[Math.floor(sorted.length * 0.99)] ?? 0,
    failures: failures.length,
    firstFailure: failures[0],
  };
}
