import { expect, it, vi } from 'vitest';
import { startLedger } from '../support/ledger.js';
import { findFreePort, startProgram, toPreload } from '../support/process.js';
import { startLoad } from '../soak/load.js';
import { countFates, findContradictions } from '../soak/reconcile.js';
import { isMigrating, startReplica, stopInOrder, waitForService } from './replica.fixture.js';

vi.setConfig({ testTimeout: 120_000 });

const PROCESSES = 2;
/** Number of operations that each process answers before the next SIGTERM. */
const SERVED = 100;

it('serves one port by several processes, and loses no write while they restart one by one', async () => {
  const studyApi = await startLedger({});
  const port = await findFreePort();
  const url = `http://127.0.0.1:${port}`;
  const env = { STUDY_API_URL: studyApi.url, REUSE_PORT: 'true' };
  const processes = await Promise.all(
    Array.from({ length: PROCESSES }, () => startReplica(port, env)),
  );

  const kept = startLoad({ url, clients: 8, keepAlive: true });
  const fresh = startLoad({ url, clients: 4, keepAlive: false });
  for (let index = 0; index < PROCESSES; index++) {
    await Promise.all(processes.map((each) => waitForService(each, SERVED)));
    await stopInOrder(processes[index]!);
    processes[index] = await startReplica(port, env);
  }
  await Promise.all(processes.map((each) => waitForService(each, SERVED)));
  await Promise.all([kept.stop(), fresh.stop()]);

  expect(findContradictions(new Map([...kept.fates, ...fresh.fates]), studyApi.stored)).toEqual([]);
  expect(countFates(kept.fates)).toEqual({ SUCCESS: kept.fates.size });
  const { SUCCESS = 0, BROKEN = 0, ...others } = countFates(fresh.fates);
  expect(others).toEqual({});
  expect(SUCCESS).toBeGreaterThan(PROCESSES * SERVED);
  expect(BROKEN).toBeLessThanOrEqual(isMigrating ? 0 : SUCCESS / 100);
  const broken = [...fresh.fates].filter(([, fate]) => fate === 'BROKEN').map(([each]) => each);
  expect(broken.filter((each) => studyApi.received.has(each))).toEqual([]);
});

it('reports that the operating system cannot share ports', async () => {
  // Fails as libuv does on macOS and Windows.
  const elsewhere = `import net from 'node:net';
    const { listen } = net.Server.prototype;
    net.Server.prototype.listen = function (options, ...rest) {
      if (!options.reusePort) return listen.call(this, options, ...rest);
      const error = Object.assign(new Error('listen ENOTSUP'), { code: 'ENOTSUP', syscall: 'listen' });
      process.nextTick(() => this.emit('error', error));
      return this;
    };`;
  const { exit } = startProgram({
    env: { REUSE_PORT: 'true' },
    nodeArgs: toPreload(elsewhere),
  });

  expect(await exit).toMatchObject({
    code: 1,
    stderr: 'study-gateway cannot start.\nlisten ENOTSUP\n',
  });
});
