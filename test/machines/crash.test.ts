// @module-tag nginx
// @module-tag redis

import { randomUUID } from 'node:crypto';
import { expect, it, onTestFinished, vi } from 'vitest';
import { startLedger } from '../support/ledger.js';
import { createRedisServer } from '../support/redis.js';
import { findFreePort, type Program } from '../support/process.js';
import { write } from '../soak/client.js';
import { startNginx } from './nginx.fixture.js';
import { startReplica } from './replica.fixture.js';

vi.setConfig({ testTimeout: 30_000 });

/** Starts two replicas behind nginx. Their Study APIs store each write but never answer. */
async function startTwo() {
  const redis = await createRedisServer();
  onTestFinished(redis.remove);
  await redis.start();
  const stored: string[] = [];
  const sender = Promise.withResolvers<Program>();
  const startOne = async (port: number): Promise<void> => {
    // Each replica has its own Study API, which therefore knows the replica that sent a write.
    const studyApi = await startLedger({
      onBody: ({ description, store }) => {
        store();
        stored.push(description);
        sender.resolve(replica);
      },
    });
    const env = { STUDY_API_URL: studyApi.url, REDIS_URL: redis.url.href, TRUST_PROXY: '1' };
    const replica = await startReplica(port, { ...env, STUDY_API_TIMEOUT_MS: '2000' });
  };
  const ports = [await findFreePort(), await findFreePort()];
  await Promise.all(ports.map(startOne));
  const { url } = await startNginx(ports);
  return { client: { url, agent: false } as const, stored, sender: sender.promise };
}

it('makes a write only once when its replica is killed, and answers UNKNOWN to a repeat with its key', async () => {
  const { client, stored, sender } = await startTwo();
  const keyed = { ...client, key: randomUUID() };

  const fate = write(keyed, 'study-0');
  const replica = await sender;
  replica.kill('SIGKILL');
  await replica.exit;

  // nginx does not send the write to the other replica.
  expect([await fate, await write(keyed, 'study-0')]).toEqual(['BAD_GATEWAY', 'UNKNOWN']);
  expect(stored).toEqual(['study-0']);
});
