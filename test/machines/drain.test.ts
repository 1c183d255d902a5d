import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { expect, it, onTestFinished, vi } from 'vitest';
import { findFreePort } from '../support/process.js';
import { answerJson, startStudyApi } from '../support/study-api.js';
import { wholeStudy } from '../support/studies.js';
import { startReplica } from './replica.fixture.js';

vi.setConfig({ testTimeout: 20_000 });

const ready = 'GET /health/ready HTTP/1.1\r\nhost: localhost\r\n\r\n';

function open(port: number): Socket {
  const socket = connect(port, '127.0.0.1').setEncoding('utf8');
  onTestFinished(() => void socket.destroy());
  return socket;
}

/** Returns 'connected', or the error code of a failed connection. */
function tryToConnect(port: number): Promise<string> {
  const socket = open(port);
  return new Promise((resolve) => {
    socket.once('connect', () => resolve('connected'));
    socket.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
  });
}

it('answers a request that comes on a kept-alive connection just after SIGTERM, and closes the idle and the silent connections', async () => {
  const { url } = await startStudyApi(answerJson(wholeStudy));
  const port = await findFreePort();
  const program = await startReplica(port, { STUDY_API_URL: url, SHUTDOWN_GRACE_MS: '600000' });
  const idle = open(port);
  const used = open(port);
  const silent = open(port);
  await once(silent, 'connect');
  for (const socket of [idle, used]) {
    socket.write(ready);
    await once(socket, 'data');
  }

  program.kill('SIGTERM');
  await program.printed(/"stopping"/);
  await expect.poll(() => tryToConnect(port), { interval: 5 }).toBe('ECONNREFUSED');
  used.write(ready);
  const [answer] = (await once(used, 'data')) as [string];
  await Promise.all([used, idle, silent].map((socket) => once(socket, 'close')));

  expect(answer).toMatch(/^HTTP\/1\.1 503 [^]*\r\nconnection: close\r\n[^]*"not ready"/);
  expect(await program.exit).toMatchObject({ code: 0, signal: null, stderr: '' });
});
