// @module-tag nginx
// @module-tag redis

import { expect, it, onTestFinished, vi } from 'vitest';
import { daily } from '../support/daily.js';
import { createRedisServer } from '../support/redis.js';
import { findFreePort, type Program } from '../support/process.js';
import { createFaultMix } from '../soak/faults.js';
import { startLoad } from '../soak/load.js';
import { countFates, findContradictions } from '../soak/reconcile.js';
import { startStudyLedger } from '../soak/study-ledger.js';
import { startKeyedLoad, startReadLoad, startWork } from './balanced-load.fixture.js';
import { startNginx } from './nginx.fixture.js';
import { installVersions } from './released.fixture.js';
import { startReplica, stopInOrder, waitForService } from './replica.fixture.js';
import {
  createKeyedWrites,
  findDifferences,
  toFates,
  type KeyedWrites,
} from './versions.fixture.js';

vi.setConfig({ testTimeout: 120_000 });

const ROUNDS = 2;
/** Maximum number of lost writes: one for each restart. Usually none is lost, unless the CPU is overloaded. */
const MAX_LOST = 2 * ROUNDS;
/** Number of operations that each replica answers before the next SIGTERM. */
const SERVED = 100;

it('reports true outcomes and stores no write twice behind nginx while the replicas restart one by one', async () => {
  const studyApi = await startStudyLedger(createFaultMix({ hangs: false }));
  onTestFinished(() => studyApi.close());
  const redis = await createRedisServer();
  onTestFinished(redis.remove);
  await redis.start();
  const env = { STUDY_API_URL: studyApi.url, REDIS_URL: redis.url.href, TRUST_PROXY: '1' };
  const ports = [await findFreePort(), await findFreePort()];
  const replicas = await Promise.all(ports.map((port) => startReplica(port, env)));
  const { url, readLog } = await startNginx(ports);

  // Keep-alive, because thousands of new connections could occupy, as a local port, the port of a stopped replica.
  const plain = startLoad({ url, clients: 16, keepAlive: true });
  const keyed = startKeyedLoad(url, 8, studyApi.stored);
  const reads = startReadLoad(url, 4);
  for (let round = 0; round < ROUNDS; round++)
    for (const [index, port] of ports.entries()) {
      await Promise.all(replicas.map((replica) => waitForService(replica, SERVED)));
      await stopInOrder(replicas[index]!);
      replicas[index] = await startReplica(port, env);
    }
  await Promise.all(replicas.map((replica) => waitForService(replica, SERVED)));
  await Promise.all([plain.stop(), keyed.stop(), reads.stop()]);

  const fates = new Map([...plain.fates, ...keyed.fates]);
  const counts = countFates(fates);
  expect(findContradictions(fates, studyApi.stored)).toEqual([]);
  expect(keyed.changes).toEqual([]);
  // A write can hit a closing port, and nginx must not resend writes. No lost write may have reached the Study API.
  const lost = [...plain.fates].filter(([, fate]) => fate === 'BAD_GATEWAY' || fate === 'BROKEN');
  expect(lost.filter(([description]) => studyApi.arrived.has(description))).toEqual([]);
  expect(lost.length).toBeLessThanOrEqual(MAX_LOST);
  expect([...reads.endings.keys()]).toEqual(['200 {"data":{"__typename":"Query"}}']);
  // Proves that the test covered the risks: nginx met a closed port, and the Study API produced every kind of failure.
  expect(readLog()).toContain('connect() failed (111: Connection refused)');
  expect(Object.keys(counts)).toEqual(
    expect.arrayContaining(['SUCCESS', 'REJECTED', 'APPLIED', 'UNKNOWN']),
  );
});

/** Number of operations of each version before, between and after its replacements. */
const SERVED_EACH = 400;

async function startShared() {
  const studyApi = await startStudyLedger(createFaultMix({ hangs: false }));
  onTestFinished(() => studyApi.close());
  const redis = await createRedisServer();
  onTestFinished(redis.remove);
  await redis.start();
  return { studyApi, env: { STUDY_API_URL: studyApi.url, REDIS_URL: redis.url.href } };
}

/** Expects that all reports agree with each other and with what is stored, and that no write with a key is stored twice. */
function expectTruth(writes: KeyedWrites, stored: ReadonlyMap<string, number>): void {
  expect(findDifferences(writes)).toEqual([]);
  const own = new Map([...stored].filter(([description]) => writes.told.has(description)));
  expect([...own].filter(([, times]) => times > 1)).toEqual([]);
  for (const by of ['released', 'current', 'either'] as const) {
    const fates = toFates(writes, by);
    const seen = new Map([...own].filter(([description]) => fates.has(description)));
    expect(findContradictions(fates, seen)).toEqual([]);
  }
}

daily(() => {
  it(
    'stores no write twice, and answers its repeats alike, beside the last release and in its place',
    { timeout: 600_000 },
    async () => {
      const scripts = await installVersions();
      const { studyApi, env } = await startShared();
      const start = (port: number, version: keyof typeof scripts): Promise<Program> =>
        startReplica(port, env, { script: scripts[version] });

      // Side by side: one first, the other first, both at once; then each once more.
      const beside = createKeyedWrites('beside');
      const [one, other] = [await findFreePort(), await findFreePort()];
      const replicas = [await start(one, 'released'), await start(other, 'current')];
      const released = { url: `http://127.0.0.1:${one}`, by: 'released' } as const;
      const current = { url: `http://127.0.0.1:${other}`, by: 'current' } as const;
      const load = startWork(8, async () => {
        const description = beside.create();
        const [first, second] =
          beside.told.size % 2 === 0 ? [released, current] : [current, released];
        const sent = beside.send(first, description);
        if (beside.told.size % 3 > 0) await sent;
        await Promise.all([sent, beside.send(second, description)]);
      });
      await Promise.all(replicas.map((replica) => waitForService(replica, SERVED_EACH)));
      await load.stop();
      await beside.repeatAll(released);
      await beside.repeatAll(current);
      await Promise.all(replicas.map(stopInOrder));
      expectTruth(beside, studyApi.stored);
      expect(Object.keys(countFates(toFates(beside, 'released')))).toEqual(
        expect.arrayContaining(['SUCCESS', 'REJECTED', 'APPLIED', 'UNKNOWN']),
      );

      // One after the other, on one port: upgrade, and rollback.
      for (const [from, to] of [
        ['released', 'current'],
        ['current', 'released'],
      ] as const) {
        const writes = createKeyedWrites(`${from}-${to}`);
        const port = await findFreePort();
        const url = `http://127.0.0.1:${port}`;
        const before = await start(port, from);
        const load = startWork(8, () => writes.send({ url, by: 'either' }, writes.create()));
        await waitForService(before, SERVED_EACH);
        await stopInOrder(before);
        const after = await start(port, to);
        await waitForService(after, SERVED_EACH);
        await load.stop();
        await writes.repeatAll({ url, by: to });
        await stopInOrder(after);
        expectTruth(writes, studyApi.stored);
      }
    },
  );
});
