import { expect, it, onTestFinished, vi } from 'vitest';
import { createRedisServer } from '../idempotency/redis.fixture.js';
import { findFreePort } from '../process.fixture.js';
import { createFaultMix } from '../soak/faults.js';
import { startLoad } from '../soak/load.js';
import { countFates, findContradictions } from '../soak/reconcile.js';
import { startStudyLedger } from '../soak/study-ledger.js';
import { startKeyedLoad, startReadLoad } from './balanced-load.fixture.js';
import { startNginx } from './nginx.fixture.js';
import { startReplica, stopInOrder, waitForService } from './replica.fixture.js';

vi.setConfig({ testTimeout: 120_000 });

const ROUNDS = 2;
/** Answers that each replica has given before the next SIGTERM. */
const SERVED = 100;

it('loses and doubles nothing behind nginx while one replica after the other is restarted', async () => {
  const studyApi = await startStudyLedger(createFaultMix({ hangs: false }));
  onTestFinished(() => studyApi.close());
  const redis = await createRedisServer();
  onTestFinished(redis.remove);
  await redis.start();
  const env = { STUDY_API_URL: studyApi.url, REDIS_URL: redis.url.href, TRUST_PROXY: '1' };
  const ports = [await findFreePort(), await findFreePort()];
  const replicas = await Promise.all(ports.map((port) => startReplica(port, env)));
  const { url, readLog } = await startNginx(ports);

  // Thousands of fresh connections could take the port of a replica that is just away.
  const plain = startLoad({ url, clients: 16, keepAlive: true });
  const keyed = startKeyedLoad(url, 8);
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
  expect(findContradictions(fates, studyApi.stored)).toEqual([]);
  expect(keyed.changes).toEqual([]);
  // Not even of the writes that nginx may not send again.
  const counts = countFates(fates);
  const lost = { BROKEN: counts.BROKEN, BAD_GATEWAY: counts.BAD_GATEWAY };
  expect({ ...lost, keyed: keyed.badGateways() }).toEqual({ keyed: 0 });
  expect([...reads.endings.keys()]).toEqual(['200 {"data":{"__typename":"Query"}}']);
  // The test would prove nothing if nginx had not come to a closed door, and the API had not failed at times.
  expect(readLog()).toContain('connect() failed (111: Connection refused)');
  expect(Object.keys(counts)).toEqual(
    expect.arrayContaining(['SUCCESS', 'REJECTED', 'APPLIED', 'UNKNOWN']),
  );
});
