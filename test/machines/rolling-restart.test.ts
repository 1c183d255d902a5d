import { expect, it, onTestFinished, vi } from 'vitest';
import { createRedisServer } from '../support/redis.js';
import { findFreePort } from '../support/process.js';
import { createFaultMix } from '../soak/faults.js';
import { startLoad } from '../soak/load.js';
import { countFates, findContradictions } from '../soak/reconcile.js';
import { startStudyLedger } from '../soak/study-ledger.js';
import { startKeyedLoad, startReadLoad } from './balanced-load.fixture.js';
import { startNginx } from './nginx.fixture.js';
import { startReplica, stopInOrder, waitForService } from './replica.fixture.js';

vi.setConfig({ testTimeout: 120_000 });

const ROUNDS = 2;
/** One at each restart; there are none unless the processor is overloaded. */
const MOST_LOST = 2 * ROUNDS;
/** Answers that each replica has given before the next SIGTERM. */
const SERVED = 100;

it('tells the truth and doubles nothing behind nginx while one replica after the other is restarted', async () => {
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
  // What nginx may not send again can meet a port that closes. None of it has reached the Study API.
  const lost = [...plain.fates].filter(([, fate]) => fate === 'BAD_GATEWAY' || fate === 'BROKEN');
  expect(lost.filter(([description]) => studyApi.arrived.has(description))).toEqual([]);
  expect(lost.length).toBeLessThanOrEqual(MOST_LOST);
  expect([...reads.endings.keys()]).toEqual(['200 {"data":{"__typename":"Query"}}']);
  // The test would prove nothing if nginx had not come to a closed door, and the API had not failed at times.
  expect(readLog()).toContain('connect() failed (111: Connection refused)');
  expect(Object.keys(counts)).toEqual(
    expect.arrayContaining(['SUCCESS', 'REJECTED', 'APPLIED', 'UNKNOWN']),
  );
});
