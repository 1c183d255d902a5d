import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { createStudy, run } from '../support/operations.js';
import { startTestGateway } from '../support/gateway.js';
import { wholeStudy } from '../support/studies.js';
import { listen } from '../support/listen.js';

const created = { data: { createStudy: wholeStudy } };

interface IdlingApi {
  readonly url: string;
  /** For each connection, resolves when it closes with the time in ms for which it was idle. */
  readonly letGo: readonly Promise<number>[];
  /** Resolves when the idle timeout of a connection has passed. The API then closes the connection if it is still open. */
  readonly hasClosed: Promise<void>;
}

interface IdlingApiOptions {
  /** Time after which the API closes an idle connection. */
  readonly idleMs: number;
  /** Value of the API's `Keep-Alive` header. Default: no such header. */
  readonly keepAlive?: string | undefined;
  /** Number of calls, each on its own connection, that must arrive before the API answers the first. Default: 1. */
  readonly together?: number;
}

/** Starts a Study API that closes each connection without notice when it has been idle for `idleMs`. */
async function startIdlingApi(options: IdlingApiOptions): Promise<IdlingApi> {
  const { idleMs, keepAlive, together = 1 } = options;
  const letGo: Promise<number>[] = [];
  const hasClosed = Promise.withResolvers<void>();
  const idle = new Map<Socket, { readonly since: number; readonly timer: NodeJS.Timeout }>();
  const waiting: ServerResponse[] = [];
  let calls = 0;

  const server = createServer(({ socket }, response) => {
    clearTimeout(idle.get(socket)?.timer);
    if (keepAlive !== undefined) response.setHeader('keep-alive', keepAlive);
    response.setHeader('content-type', 'application/json');
    response.once('finish', () => {
      const close = (): void => {
        socket.destroy();
        hasClosed.resolve();
      };
      idle.set(socket, { since: performance.now(), timer: setTimeout(close, idleMs) });
    });
    waiting.push(response);
    calls += 1;
    if (calls < together) return;
    for (const each of waiting.splice(0)) each.end(JSON.stringify(wholeStudy));
  });
  server.on('connection', (socket) => {
    letGo.push(once(socket, 'close').then(() => performance.now() - idle.get(socket)!.since));
  });
  // Disables Node's own keep-alive timeout and its `Keep-Alive` header.
  server.keepAliveTimeout = 0;
  onTestFinished(() => {
    for (const { timer } of idle.values()) clearTimeout(timer);
  });
  return { url: await listen(server), letGo, hasClosed: hasClosed.promise };
}

it.each([
  { seconds: 3, afterMs: 1_000 },
  { seconds: 2, afterMs: 0 },
])('closes an idle connection before the API, which announces $seconds s', async (announced) => {
  const { seconds, afterMs } = announced;
  const { url, letGo } = await startIdlingApi({ idleMs: 60_000, keepAlive: `timeout=${seconds}` });
  const gateway = await startTestGateway({ studyApiUrl: url });

  const { body } = await run(gateway, createStudy);

  expect(body).toEqual(created);
  const idleMs = await letGo[0]!;
  expect(idleMs).toBeGreaterThanOrEqual(afterMs - 50);
  expect(idleMs).toBeLessThan(seconds * 1_000);
});

it('loses no write when the API closes idle connections at this moment', async () => {
  // A second after the gateway does.
  const idleMs = 2_500;
  const writes = Array.from({ length: 40 }, () => createStudy);
  const { url, letGo, hasClosed } = await startIdlingApi({ idleMs, together: writes.length });
  const gateway = await startTestGateway({ studyApiUrl: url });
  const runAll = () => Promise.all(writes.map((operation) => run(gateway, operation)));
  await runAll();

  await hasClosed;
  const answers = await runAll();

  expect(answers.map(({ body }) => body)).toEqual(writes.map(() => created));
  expect(letGo.length).toBeGreaterThan(writes.length);
  const idleFor = await Promise.all(letGo.slice(0, writes.length));
  expect(Math.max(...idleFor)).toBeLessThan(idleMs);
});
