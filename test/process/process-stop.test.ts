import { once } from 'node:events';
import { Agent, get, type IncomingMessage } from 'node:http';
import { expect, it, onTestFinished, vi } from 'vitest';
import { CreateStudyDocument } from 'study-gateway-client';
import { allDaily, everyNth } from '../support/daily.js';
import { runOperation, startReadyProgram, toPreload } from '../support/process.js';
import { startStudyApi, type Respond } from '../support/study-api.js';
import { wholeStudy } from '../support/studies.js';

vi.setConfig({ testTimeout: 20_000 });

/** Grace in ms that is longer than any test, so that the gateway closes no connection by force. */
const SHUTDOWN_GRACE_MS = '600000';

it.for(allDaily(['SIGTERM', 'SIGINT', 'SIGHUP'] as const, ['SIGINT'] as const))(
  'exits with 0 on %s, even if an idle connection is open',
  async (signal) => {
    const { url, kill, exit } = await startReadyProgram({ env: { SHUTDOWN_GRACE_MS } });
    const agent = new Agent({ keepAlive: true });
    onTestFinished(() => agent.destroy());
    const [response] = (await once(get(`${url}/health/live`, { agent }), 'response')) as [
      IncomingMessage,
    ];
    await once(response.resume(), 'end');

    kill(signal);

    expect(await exit).toMatchObject({ code: 0, signal: null, stderr: '' });
  },
);

it.for(everyNth(2, ['SIGTERM', 'SIGHUP'] as const))(
  'answers the request in progress on %s',
  async (signal) => {
    const held = Promise.withResolvers<Parameters<Respond>[0]>();
    const studyApi = await startStudyApi((response) => held.resolve(response));
    const program = await startReadyProgram({
      env: { STUDY_API_URL: studyApi.url, SHUTDOWN_GRACE_MS },
    });
    const answer = runOperation(program.url, CreateStudyDocument, { input: {} });
    const response = await held.promise;

    program.kill(signal);
    await program.printed(/"stopping"/);
    // A process that did not wait would have ended when its port is closed.
    const isOpen = () => fetch(`${program.url}/health/live`).then(Boolean, () => false);
    await expect.poll(isOpen).toBe(false);
    response.setHeader('content-type', 'application/json').end(JSON.stringify(wholeStudy));

    await expect(answer).resolves.toEqual({ data: { createStudy: wholeStudy } });
    expect(await program.exit).toMatchObject({ code: 0, signal: null, stderr: '' });
  },
);

it('runs the exit listeners that profilers rely on', async () => {
  const code = `import { writeSync } from 'node:fs';
    process.on('exit', (code) => writeSync(2, 'exit ' + code));`;
  const { kill, exit } = await startReadyProgram({
    nodeArgs: toPreload(code),
  });

  kill('SIGTERM');

  expect(await exit).toMatchObject({ code: 0, signal: null, stderr: 'exit 0' });
});
