// @module-tag nginx
// @module-tag redis

import { expect, it, onTestFinished, vi } from 'vitest';
import { allDaily } from '../support/daily.js';
import { startLedger } from '../support/ledger.js';
import { createRedisServer } from '../support/redis.js';
import { findFreePort } from '../support/process.js';
import { createFaultMix } from '../soak/faults.js';
import { startLoad } from '../soak/load.js';
import { countFates, findContradictions } from '../soak/reconcile.js';
import { startKeyedLoad, startReadLoad } from './balanced-load.fixture.js';
import { startNginx } from './nginx.fixture.js';
import { startReplica, stopInOrder, waitForService } from './replica.fixture.js';

vi.setConfig({ testTimeout: 120_000 });

const ROUNDS = allDaily(2, 1);
/** Maximum number of lost writes: one for each restart. Usually none is lost, unless the CPU is overloaded. */
const MAX_LOST = 2 * ROUNDS;
/** Number of operations that each replica answers before the next SIGTERM. */
const SERVED = 100;

it('reports true outcomes and stores no write twice behind nginx while the replicas restart one by one', async () => {
  const studyApi = await startLedger({ onBody: createFaultMix({ hangs: false }) });
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
  expect(lost.filter(([description]) => studyApi.received.has(description))).toEqual([]);
  expect(lost.length).toBeLessThanOrEqual(MAX_LOST);
  expect([...reads.endings.keys()]).toEqual(['200 {"data":{"__typename":"Query"}}']);
  // Proves that the test covered the risks: nginx met a closed port, and the Study API produced every kind of failure.
  expect(readLog()).toContain('connect() failed (111: Connection refused)');
  expect(Object.keys(counts)).toEqual(
    expect.arrayContaining(['SUCCESS', 'REJECTED', 'APPLIED', 'UNKNOWN']),
  );
});
