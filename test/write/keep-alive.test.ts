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
  /** One for each connection, when it is closed: how long it had been idle, in ms. */
  readonly letGo: readonly Promise<number>[];
  /** Resolves when a connection could have been idle for `idleMs`, and what still is has been closed. */
  readonly hasClosed: Promise<void>;
}

interface IdlingApiOptions {
  readonly idleMs: number;
  /** What it tells the gateway of that, if anything. */
  readonly keepAlive?: string | undefined;
  /** It answers the first calls when there are so many, each on a connection of its own. */
  readonly together?: number;
}

/** An API that closes a connection without a word when it has been idle for a while. */
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
  // Neither announced nor done by Node itself.
  server.keepAliveTimeout = 0;
  onTestFinished(() => {
    for (const { timer } of idle.values()) clearTimeout(timer);
  });
  return { url: await listen(server), letGo, hasClosed: hasClosed.promise };
}

it.each([
  { api: 'announces 3 s', keepAlive: 'timeout=3', afterMs: 1_000 },
  { api: 'announces 2 s', keepAlive: 'timeout=2', afterMs: 0 },
])('lets an idle connection go in time when the API $api', async ({ keepAlive, afterMs }) => {
  const { url, letGo } = await startIdlingApi({ idleMs: 60_000, keepAlive });
  const gateway = await startTestGateway({ studyApiUrl: url });

  const { body } = await run(gateway, createStudy);

  expect(body).toEqual(created);
  const idleMs = await letGo[0]!;
  expect(idleMs).toBeGreaterThanOrEqual(afterMs - 50);
  expect(idleMs).toBeLessThan(afterMs + 400);
});

it('loses no write at the moment when the API closes its idle connections', async () => {
  const idleMs = 2_000;
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

it('keeps a connection that is in use', async () => {
  const { url, letGo } = await startIdlingApi({ idleMs: 60_000 });
  const gateway = await startTestGateway({ studyApiUrl: url });

  await run(gateway, createStudy);
  await run(gateway, createStudy);

  expect(letGo).toHaveLength(1);
});
